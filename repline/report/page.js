"use strict";
(() => {
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  document.documentElement.classList.add("js");
  const drawn = new Set();

  // the plotting library and the figures are packed; the first figure that comes near unpacks them
  const unpacked = async (id) => {
    const letters = atob(document.getElementById(id).textContent);
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
  };
  let figures = {};
  let loading = null;
  const loaded = () => {
    loading ??= (async () => {
      figures = JSON.parse(await unpacked("figures"));
      const script = document.createElement("script");
      script.textContent = await unpacked("plotly");
      document.head.append(script);
    })();
    return loading;
  };

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

  const COLOURS = 10;
  const colours = () => [...Array(COLOURS).keys()].map((number) => colour(`--series-${number + 1}`));

  const themed = (layout) => {
    const axis = {
      gridcolor: colour("--line"), linecolor: colour("--line"), zerolinecolor: colour("--line"),
      tickcolor: colour("--line"), automargin: true, title: { font: { size: 13 }, standoff: 12 },
    };
    const theme = {
      paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
      font: { color: colour("--ink"), family: style.fontFamily, size: 13 },
      colorway: colours(),
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
  // a series has one colour, dash and marker in all figures of its system
  const numbers = {};
  const numberOf = (system, name) => {
    const series = numbers[system] ??= {};
    series[name] ??= Object.keys(series).length;
    return series[name];
  };
  const coloured = (data, system) => {
    const palette = colours();
    for (const trace of data) {
      if (trace.type === "heatmap") {
        trace.colorscale = [[0, colour("--card")], [1, colour("--series-1")]];
      } else if (trace.type === "table") {
        const cell = { fill: { color: colour("--card") }, font: { color: colour("--ink") }, line: { color: colour("--line") } };
        trace.header = merge(cell, trace.header);
        trace.cells = merge(cell, trace.cells);
      } else if (trace.showlegend === false && trace.type === "scatter") {
        trace.line = { color: colour("--series-1"), ...trace.line };  // no name, so no colour of its own
      } else if (trace.name && data.length > 1) {
        const number = numberOf(system, trace.name);
        const own = palette[number % COLOURS];
        trace.marker = { color: own, ...trace.marker };
        if (trace.type === "scatter") {
          // lines of one figure differ in dash and marker too, not in colour alone
          trace.line = { color: own, dash: dashes[number % dashes.length], ...trace.line };
          trace.marker = { symbol: symbols[number % symbols.length], size: 7, ...trace.marker };
        }
      }
    }
    return data;
  };

  // long names of rows break into lines where the page is narrow, and a figure is as high as its legend and rows need
  const NARROW = 500;
  const LETTERS = 17;  // of a line
  const inLines = (words) => words.trim().split(" ").reduce((lines, word) => {
    const last = lines.at(-1);
    return last !== undefined && last.length + word.length < LETTERS ? [...lines.slice(0, -1), `${last} ${word}`] : [...lines, word];
  }, []);
  const fitted = (place, data, layout) => {
    const width = place.clientWidth;
    place.dataset.height ??= layout.height ?? place.clientHeight;
    let height = Number(place.dataset.height);
    const names = data.filter((trace) => trace.name && trace.showlegend !== false).map((trace) => trace.name.length);
    if (names.length > 1) {
      const entriesOfLine = Math.max(1, Math.floor((width - 60) / (Math.max(...names) * 7.5 + 48)));
      height += 20 * Math.max(0, Math.ceil(names.length / entriesOfLine) - 5);
      layout.legend = { maxheight: 1, ...layout.legend };
    }
    const rows = data.flatMap((trace) => (trace.orientation === "h" || trace.type === "heatmap" ? trace.y ?? [] : []));
    if (width < NARROW && rows.some((row) => typeof row === "string" && row.length > LETTERS)) {
      const named = [...new Set(rows.map(String))];
      const lines = named.map(inLines);
      layout.yaxis = { ...layout.yaxis, tickvals: named, ticktext: lines.map((words) => words.join("<br>")) };
      height = Math.max(height, 110 + named.length * (16 * Math.max(...lines.map((words) => words.length)) + 4));
    }
    place.style.height = `${height}px`;
    layout.height = height;
  };

  // the points of a figure as a table of commas: a row a point
  const commaSeparated = (data) => {
    const quoted = (value) => `"${String(value ?? "").replaceAll('"', '""').trim()}"`;
    const rows = data.flatMap((trace) => (trace.type === "heatmap"
      ? trace.z.flatMap((line, row) => line.map((z, column) => [trace.name, trace.x?.[column] ?? column, trace.y?.[row] ?? row, z]))
      : (trace.x ?? trace.y ?? []).map((_, at) => [trace.name, trace.x?.[at] ?? at, trace.y?.[at], ""])));
    return [["series", "x", "y", "z"], ...rows].map((row) => row.map(quoted).join(",")).join("\n") + "\n";
  };
  const save = async (place, format) => {
    if (!drawn.has(place)) await draw(place);
    const filename = place.dataset.figure;
    if (format !== "csv") {
      window.Plotly.downloadImage(place, { format, filename, width: 900, height: place.offsetHeight, scale: format === "png" ? 2 : 1 });
      return;
    }
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([commaSeparated(figures[filename].data)], { type: "text/csv" }));
    link.download = `${filename}.csv`;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  document.querySelectorAll("[data-save]").forEach((button) => {
    button.addEventListener("click", () => save(button.closest("figure").querySelector("[data-figure]"), button.dataset.save));
  });

  const draw = async (place) => {
    drawn.add(place);
    await loaded();
    const figure = figures[place.dataset.figure];
    // a copy: plotly writes into what it is given, and the theme may change
    const { data, layout } = JSON.parse(JSON.stringify(figure));
    fitted(place, data, layout);
    const system = place.closest("[data-system]")?.id ?? "";
    window.Plotly.react(place, coloured(data, system), themed(layout), { responsive: true, displayModeBar: false });
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
    document.querySelectorAll("details").forEach((part) => { part.open = true; });
    places.filter((place) => !drawn.has(place)).forEach(draw);
  });

  const find = (id) => document.getElementById(id);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const systems = all("[data-system]");
  const tiles = all(".gallery > li");
  const bars = all(".overview li[data-name]");
  const entries = all(".contents li[data-name]");
  const [wanted, verdict, profile, sort] = ["filter-system", "filter-verdict", "filter-profile", "sort"].map(find);

  // verdicts are those of one profile, of the page's where none is chosen: what another one says is counted there
  const ownProfile = find("systems").dataset.ownProfile;
  const verdicts = (claim) => [claim.getAttribute(`data-verdict-${profile.value || ownProfile}`)];

  const filter = () => {
    const words = wanted.value.trim().toLowerCase();
    const shown = new Set();
    let claims = 0;
    for (const system of systems) {
      let matching = 0;
      for (const claim of all("[data-claim]", system)) {
        claim.hidden = Boolean(verdict.value) && !verdicts(claim).includes(verdict.value);
        matching += claim.hidden ? 0 : 1;
      }
      system.hidden = !system.dataset.search.includes(words) || (Boolean(verdict.value) && !matching);
      if (!system.hidden) {
        shown.add(system.id);
        claims += matching;
        if (verdict.value) system.querySelector(".fold").open = true;
        const folded = system.querySelector(".not-judged");
        if (folded && verdict.value) folded.open = all("[data-claim]", folded).some((claim) => !claim.hidden);
      }
    }
    for (const place of [...tiles, ...bars, ...entries]) place.hidden = !shown.has(place.dataset.name);
    for (const part of all("[data-profile]")) {
      part.hidden = Boolean(profile.value) && part.dataset.profile !== profile.value;
    }
    find("found").textContent = `${shown.size} of ${systems.length} systems, ${claims} claims`;
    label();
  };

  const order = () => {
    const key = (name) => {
      const tile = tiles.find((one) => one.dataset.name === name);
      if (sort.value === "year" || sort.value === "cost") return Number(tile.dataset[sort.value]);
      return all("[data-claim]", find(name)).filter((claim) => verdicts(claim).includes(sort.value)).length;
    };
    const names = systems.map((system) => system.id);
    const keys = new Map(names.map((name) => [name, sort.value ? key(name) : 0]));
    const sorted = (parts, name) => [...parts].sort((a, b) => keys.get(name(b)) - keys.get(name(a)));
    find("all-systems").append(...sorted(systems, (one) => one.id));
    document.querySelector(".gallery").append(...sorted(tiles, (one) => one.dataset.name));
    document.querySelector(".contents ul").append(...sorted(entries, (one) => one.dataset.name));
  };

  const folds = () => systems.filter((system) => !system.hidden).map((system) => system.querySelector(".fold"));
  const label = () => { find("fold").textContent = folds().some((part) => !part.open) ? "Open all" : "Fold all"; };
  find("fold").addEventListener("click", () => {
    const open = folds().some((part) => !part.open);
    folds().forEach((part) => { part.open = open; });
    label();
  });
  document.querySelector(".filters").hidden = false;
  wanted.addEventListener("input", filter);
  verdict.addEventListener("change", filter);
  profile.addEventListener("change", () => { filter(); order(); });
  sort.addEventListener("change", order);
  filter();

  // the contents are a column beside the page, or a bar over it that opens
  const contents = document.querySelector(".contents details");
  const narrow = window.matchMedia("(max-width: 75.99rem)");
  const lay = () => { contents.open = !narrow.matches; };
  narrow.addEventListener("change", lay);
  lay();
  contents.addEventListener("click", (event) => {
    if (narrow.matches && event.target.closest("a")) contents.open = false;
  });

  // a heading sorts its table: numbers from the largest, words from A, what is not measured last; again: the other way
  document.querySelectorAll("table[data-sortable]").forEach((table) => {
    const heads = [...table.tHead.rows[0].cells];
    const body = table.tBodies[0];
    heads.forEach((head, column) => head.querySelector("button").addEventListener("click", () => {
      const numeric = head.classList.contains("number");
      const before = head.getAttribute("aria-sort");
      const rising = before ? before === "descending" : !numeric;
      const compare = (left, right) => {
        const [a, b] = [left, right].map((row) => row.cells[column].dataset.value);
        if (a === "" || b === "") return (a === "") - (b === "");
        return (rising ? 1 : -1) * (numeric ? Number(a) - Number(b) : a.localeCompare(b));
      };
      body.append(...[...body.rows].sort(compare));
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", rising ? "ascending" : "descending");
    }));
  });

  // a link into a folded part opens it, also where a filter hides it
  const reveal = () => {
    const target = location.hash && find(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    if (target.closest("[hidden]")) {
      wanted.value = verdict.value = "";
      filter();
    }
    target.querySelector(":scope > .fold")?.setAttribute("open", "");
    for (let part = target; part; part = part.parentElement) {
      if (part.tagName === "DETAILS") part.open = true;
    }
    target.scrollIntoView();
  };
  window.addEventListener("hashchange", reveal);
  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#"]');
    if (link && link.getAttribute("href") === location.hash) reveal();  // the same place again is no change
  });
  reveal();
})();
