"use strict";
(() => {
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const source = document.getElementById("figures");
  const figures = source ? JSON.parse(source.textContent) : {};
  const drawn = new Set();

  const merge = (base, over) => {
    const result = { ...base };
    for (const [key, value] of Object.entries(over ?? {})) {
      const both = [result[key], value].every((one) => one && typeof one === "object" && !Array.isArray(one));
      result[key] = both ? merge(result[key], value) : value;
    }
    return result;
  };

  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(name).trim();

  const themed = (layout) => {
    const axis = {
      gridcolor: colour("--line"), linecolor: colour("--line"), zerolinecolor: colour("--line"),
      tickcolor: colour("--line"), automargin: true, title: { font: { size: 13 }, standoff: 12 },
    };
    const theme = {
      paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
      font: { color: colour("--ink"), family: style.fontFamily, size: 13 },
      colorway: [1, 2, 3, 4, 5, 6].map((number) => colour(`--series-${number}`)),
      margin: { l: 48, r: 12, t: 12, b: 44 },
      legend: { orientation: "h", x: 0, xanchor: "left", y: 1.02, yanchor: "bottom" },
      hoverlabel: { bgcolor: colour("--card"), bordercolor: colour("--line"), font: { color: colour("--ink") } },
    };
    const result = merge(theme, layout);
    for (const name of ["xaxis", "yaxis", ...Object.keys(layout).filter((key) => /^[xy]axis\d+$/.test(key))]) {
      result[name] = merge(axis, layout[name]);
    }
    for (const shape of result.shapes ?? []) shape.line = { color: colour("--soft"), ...shape.line };
    return { ...result, autosize: true, width: undefined, template: undefined };
  };

  const symbols = ["circle", "square", "diamond", "triangle-up", "x", "cross"];
  const dashes = ["solid", "dash", "dot", "dashdot", "longdash", "longdashdot"];
  const coloured = (data) => {
    let number = 0;
    for (const trace of data) {
      if (trace.type === "heatmap") {
        trace.colorscale = [[0, colour("--card")], [1, colour("--series-1")]];
      } else if (trace.showlegend === false && trace.type === "scatter") {
        trace.line = { color: colour("--series-1"), ...trace.line };  // no name, so no colour of its own
      } else if (trace.mode === "lines+markers") {
        // lines of one figure differ in dash and marker too, not in colour alone
        trace.line = { dash: dashes[number % dashes.length], ...trace.line };
        trace.marker = { symbol: symbols[number % symbols.length], size: 7, ...trace.marker };
        number += 1;
      }
    }
    return data;
  };

  const draw = (place) => {
    const figure = figures[place.dataset.figure];
    drawn.add(place);
    // a copy: plotly writes into what it is given, and the theme may change
    const { data, layout } = JSON.parse(JSON.stringify(figure));
    if (layout.height) place.style.height = `${layout.height}px`;
    window.Plotly.react(place, coloured(data), themed(layout), { responsive: true, displayModeBar: false });
  };

  const places = [...document.querySelectorAll("[data-figure]")];
  if (places.length) {
    const seen = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) {
        if (isIntersecting) {
          seen.unobserve(target);
          draw(target);
        }
      }
    }, { rootMargin: "600px" });
    places.forEach((place) => seen.observe(place));
    dark.addEventListener("change", () => drawn.forEach(draw));
  }

  window.addEventListener("beforeprint", () => {
    places.filter((place) => !drawn.has(place)).forEach(draw);
    document.querySelectorAll("details").forEach((part) => { part.open = true; });
  });

  // a heading sorts its table: numbers from the largest, words from A, what is not measured last; again: the other way
  document.querySelectorAll("table[data-sortable]").forEach((table) => {
    const heads = [...table.tHead.rows[0].cells];
    const body = table.tBodies[0];
    heads.forEach((head, column) => head.querySelector("button").addEventListener("click", () => {
      const numeric = head.classList.contains("number");
      const before = head.getAttribute("aria-sort");
      const rising = before ? before === "descending" : !numeric;
      const order = (left, right) => {
        const [a, b] = [left, right].map((row) => row.cells[column].dataset.value);
        if (a === "" || b === "") return (a === "") - (b === "");
        return (rising ? 1 : -1) * (numeric ? Number(a) - Number(b) : a.localeCompare(b));
      };
      body.append(...[...body.rows].sort(order));
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", rising ? "ascending" : "descending");
    }));
  });

  // a link into a folded part opens it
  const reveal = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let part = target; part; part = part.parentElement) {
      if (part.tagName === "DETAILS") part.open = true;
    }
    if (target) target.scrollIntoView();
  };
  window.addEventListener("hashchange", reveal);
  reveal();
})();
