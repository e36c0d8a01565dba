(() => {
  "use strict";
  // Names are data: everything is put on the page as text, never as markup.
  const data = JSON.parse(document.getElementById("data").textContent);
  const figure = document.getElementById("graph");
  const panel = document.getElementById("panel");
  const slider = document.getElementById("threshold");
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const view = () => figure.dataset.view;
  const picture = (of) => document.getElementById(`view-${of}`);
  const make = (tag, className, ...children) => {
    const element = document.createElement(tag);
    if (className) element.className = className;
    element.append(...children);
    return element;
  };
  const say = (pieces) => pieces.map(([text, isName]) => (isName ? make("bdi", "name", text) : text));
  const percent = (share) => `${Math.round(100 * share)} %`;
  document.documentElement.classList.add("js");

  // ------------------------------------------------------------------ choosing an edge or a variable

  const clear = () => {
    all(".is-chosen").forEach((element) => element.classList.remove("is-chosen"));
    all(".has-choice").forEach((element) => element.classList.remove("has-choice"));
    panel.hidden = true;
    panel.replaceChildren();
  };

  const open = (heading, ...children) => {
    const close = make("button", "close", "×");
    close.type = "button";
    close.setAttribute("aria-label", "Close");
    close.addEventListener("click", clear);
    panel.replaceChildren(close, make("h3", "", ...heading), ...children);
    panel.hidden = false;
    // On a narrow screen the panel stands below the picture.
    if (panel.getBoundingClientRect().top > window.innerHeight - 80) panel.scrollIntoView({ block: "center" });
  };

  const bars = (shares) => {
    const items = shares.map(([pieces, share]) => {
      const meter = make("meter");
      meter.value = share;
      return make("li", "", make("span", "", ...say(pieces)), make("span", "", percent(share)), meter);
    });
    return make("ul", "bars", ...items);
  };

  const nodesOf = (edge) => {
    const ends = [edge.dataset.oneNode, edge.dataset.otherNode];
    return all(".lurking-node", edge.ownerSVGElement).filter((node) => ends.includes(node.dataset.node));
  };

  const mark = (...elements) => {
    elements.forEach((element) => element.classList.add("is-chosen"));
    elements[0].ownerSVGElement.classList.add("has-choice");
  };

  const chooseEdge = (edge) => {
    const entry = data.views[view()][Number(edge.dataset.edge)];
    clear();
    mark(edge, ...nodesOf(edge));
    if (view() === "admg") {
      all(`tr[data-edge="${edge.dataset.edge}"]`).forEach((row) => row.classList.add("is-chosen"));
    }
    const children = [make("p", "", ...say(entry.sentence))];
    if (entry.beliefs.length) children.push(make("p", "small", "Probability:"), bars(entry.beliefs));
    if (entry.numbers.length) {
      const terms = entry.numbers.flatMap(([name, value]) => [make("dt", "", name), make("dd", "", value)]);
      children.push(make("dl", "", ...terms));
    }
    if (entry.shares.length) {
      const total = data.replicates ? `In ${data.replicates} bootstrap replicates` : "In the bootstrap";
      children.push(make("p", "small", `${total}:`), bars(entry.shares));
    }
    open(say(entry.heading), ...children);
  };

  const chooseNode = (node) => {
    const edges = all(".lurking-edge", node.ownerSVGElement).filter((edge) => nodesOf(edge).includes(node));
    clear();
    mark(node, ...edges, ...edges.flatMap(nodesOf));
    const items = edges.map((edge) => {
      const pick = make("button", "pick", ...say(data.views[view()][Number(edge.dataset.edge)].heading));
      pick.type = "button";
      pick.addEventListener("click", () => chooseEdge(edge));
      return make("li", "", pick);
    });
    const list = items.length ? make("ul", "list", ...items) : make("p", "open", "It has no edge.");
    open([make("bdi", "name", node.dataset.name)], list);
  };

  all(".view svg").forEach((svg) => {
    svg.setAttribute("role", "group");
    svg.addEventListener("click", (event) => {
      if (!event.target.closest(".lurking-edge, .lurking-node")) clear();
    });
  });
  const onChoice = (selector, choose) =>
    all(`.view ${selector}`).forEach((element) => {
      element.setAttribute("tabindex", "0");
      element.setAttribute("role", "button");
      element.setAttribute("aria-label", element.querySelector("title").textContent);
      element.addEventListener("click", () => choose(element));
      element.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        choose(element);
      });
    });
  onChoice(".lurking-edge", chooseEdge);
  onChoice(".lurking-node", chooseNode);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") clear();
  });

  // -------------------------------------------------------------------------------------- the pictures

  const show = (chosen) => {
    clear();
    figure.dataset.view = chosen;
    all("[data-of]", figure).forEach((part) => {
      part.hidden = part.dataset.of !== chosen;
    });
    all('input[name="view"]').forEach((input) => {
      input.checked = input.value === chosen;
    });
    if (slider) filter();
  };
  all('input[name="view"]').forEach((input) => input.addEventListener("change", () => show(input.value)));

  all("tr[data-edge]:has(.pick)").forEach((row) => {
    row.querySelector(".pick").addEventListener("click", () => {
      show("admg");
      chooseEdge(document.getElementById(`admg-edge-${row.dataset.edge}`));
      figure.scrollIntoView({ block: "nearest" });
    });
  });

  // -------------------------------------------------------------------------------- the confidence slider

  const filter = () => {
    const least = Number(slider.value) / 100;
    const isBelow = (entry) => entry.share !== null && entry.share < least - 1e-9;
    Object.keys(data.views).forEach((of) =>
      all(".lurking-edge", picture(of)).forEach((edge) =>
        edge.classList.toggle("is-below", isBelow(data.views[of][Number(edge.dataset.edge)])),
      ),
    );
    all("tr[data-edge]").forEach((row) =>
      row.classList.toggle("is-below", isBelow(data.views.admg[Number(row.dataset.edge)])),
    );
    const entries = data.views[view()];
    const kept = entries.filter((entry) => !isBelow(entry)).length;
    const text = `${slider.value} %`;
    document.getElementById("threshold-text").textContent = text;
    slider.setAttribute("aria-valuetext", text);
    document.getElementById("threshold-count").textContent =
      `of the replicates: ${kept} of ${entries.length} ${entries.length === 1 ? "edge" : "edges"}`;
  };
  if (slider) slider.addEventListener("input", filter);
  if (figure) show(view());

  // ------------------------------------------------------------------------------------ tables and paper

  all("[data-sort]").forEach((button) =>
    button.addEventListener("click", () => {
      const header = button.closest("th");
      const table = button.closest("table");
      const column = [...header.parentElement.children].indexOf(header);
      const numeric = button.dataset.sort === "number";
      const descending = header.getAttribute("aria-sort") ? header.getAttribute("aria-sort") === "ascending" : numeric;
      const key = (row) => {
        const cell = row.children[column];
        if (!numeric) return cell.textContent.trim();
        return cell.dataset.value === "" ? -Infinity : Number(cell.dataset.value);
      };
      const compare = (a, b) => (numeric ? key(a) - key(b) : key(a).localeCompare(key(b), undefined, { numeric: true }));
      const rows = [...table.tBodies[0].rows].sort((a, b) => (descending ? compare(b, a) : compare(a, b)));
      table.tBodies[0].append(...rows);
      all("th", header.parentElement).forEach((other) => other.removeAttribute("aria-sort"));
      header.setAttribute("aria-sort", descending ? "descending" : "ascending");
    }),
  );

  // ------------------------------------------------------------------------------ one variable at a time

  const neighbour = document.getElementById("neighbour");
  if (neighbour) {
    const articles = all(".neighbourhood");
    const byName = new Map(articles.map((article) => [article.dataset.name.toLowerCase(), article]));
    const look = () => {
      const wanted = neighbour.value.trim().toLowerCase();
      const matches = articles.filter((article) => article.dataset.name.toLowerCase().includes(wanted));
      const chosen = byName.get(wanted) || (wanted === "" ? undefined : matches[0]);
      const found = document.getElementById("neighbour-found");
      found.textContent = wanted !== "" && !chosen ? "No variable has such a name." : "";
      if (!chosen) return;
      articles.forEach((article) => {
        article.hidden = article !== chosen;
      });
    };
    const go = (name) => {
      neighbour.value = name;
      look();
    };
    neighbour.addEventListener("input", look);
    all(".neighbourhood .lurking-node").forEach((node) => {
      node.setAttribute("tabindex", "0");
      node.setAttribute("role", "button");
      node.setAttribute("aria-label", `Show ${node.dataset.name}`);
      node.addEventListener("click", () => go(node.dataset.name));
      node.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        go(node.dataset.name);
        neighbour.focus();
      });
    });
  }

  const about = document.getElementById("about");
  if (about) {
    about.addEventListener("input", () => {
      const wanted = about.value.trim().toLowerCase();
      all(".all-statements tbody tr").forEach((row) => {
        const names = all(".name", row).map((name) => name.textContent.toLowerCase());
        row.hidden = wanted !== "" && !names.some((name) => name.includes(wanted));
      });
    });
  }
})();
