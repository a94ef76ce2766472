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

  const themed = (layout) => {
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(name).trim();
    const axis = {
      gridcolor: colour("--line"), linecolor: colour("--line"), zerolinecolor: colour("--line"),
      tickcolor: colour("--line"), automargin: true, title: { font: { size: 13 } },
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
    return { ...result, autosize: true, width: undefined, template: undefined };
  };

  const draw = (place) => {
    const figure = figures[place.dataset.figure];
    drawn.add(place);
    // a copy: plotly writes into what it is given, and the theme may change
    const { data, layout } = JSON.parse(JSON.stringify(figure));
    window.Plotly.react(place, data, themed(layout), { responsive: true, displayModeBar: false });
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
