(() => {
  "use strict";
  const root = document.documentElement;
  root.classList.add("js");
  const all = (selector, within) => Array.from((within || document).querySelectorAll(selector));
  const announce = text => { document.getElementById("announcement").textContent = text; };

  // ---- light and dark
  const stored = () => { try { return localStorage.getItem("nightjar-theme"); } catch (e) { return null; } };
  const keep = theme => { try { localStorage.setItem("nightjar-theme", theme); } catch (e) { /* a page from disk may keep nothing */ } };
  const prefersDark = () => matchMedia("(prefers-color-scheme: dark)").matches;
  const isDark = () => root.dataset.theme ? root.dataset.theme === "dark" : prefersDark();
  const themeButton = document.querySelector("[data-do=theme]");
  const showTheme = () => themeButton.setAttribute("aria-pressed", String(isDark()));
  if (stored() === "dark" || stored() === "light") root.dataset.theme = stored();
  showTheme();
  themeButton.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    keep(root.dataset.theme);
    showTheme();
  });

  // ---- folds
  const unfold = document.querySelector("[data-do=unfold]");
  const folds = () => all("details").filter(fold => !fold.closest(".hidden"));
  const showFolds = () => { unfold.textContent = folds().some(fold => !fold.open) ? "Unfold all" : "Fold all"; };
  unfold.addEventListener("click", () => {
    const open = folds().some(fold => !fold.open);
    folds().forEach(fold => { fold.open = open; });
    showFolds();
  });
  document.addEventListener("toggle", showFolds, true);
  unfold.hidden = folds().length < 2;
  showFolds();
  document.querySelector(".top .tools").hidden = false;

  const reveal = () => {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    for (let up = target; up; up = up.parentElement) if (up.tagName === "DETAILS") up.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  document.addEventListener("click", event => {
    const link = event.target.closest && event.target.closest("a[href^='#']");
    if (link && link.getAttribute("href") === location.hash) reveal();
  });
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = all("details.group > .group-body > details.anomaly:first-child").flatMap(first => [first, first.parentElement.parentElement])
      .filter(fold => !fold.open);
    folded.forEach(fold => { fold.open = true; });
  });
  addEventListener("afterprint", () => folded.forEach(fold => { fold.open = false; }));

  // ---- copying
  const copied = (button, done) => {
    const name = button.textContent;
    button.textContent = done ? "Copied" : "Select and copy by hand";
    announce(button.textContent);
    setTimeout(() => { button.textContent = name; }, 1500);
  };
  const copyByHand = text => {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    let done = false;
    try { done = document.execCommand("copy"); } catch (e) { done = false; }
    area.remove();
    return done;
  };
  document.addEventListener("click", event => {
    const button = event.target.closest && event.target.closest("[data-copy]");
    if (!button || button.dataset.busy) return;
    button.dataset.busy = "1";
    setTimeout(() => { delete button.dataset.busy; }, 1500);
    const text = button.dataset.copy;
    if (navigator.clipboard && isSecureContext) {
      navigator.clipboard.writeText(text).then(() => copied(button, true), () => copied(button, copyByHand(text)));
    } else {
      copied(button, copyByHand(text));
    }
  });

  // ---- filters
  all(".filter").forEach(filter => {
    filter.hidden = false;
    const section = filter.parentElement;
    const field = filter.querySelector("input[type=search]");
    const only = filter.querySelector("[data-only]");
    const output = filter.querySelector("output");
    const apply = () => {
      const words = field.value.toLowerCase().split(/\s+/).filter(word => word);
      const isAsked = words.length > 0 || (only && only.checked);
      let shown = 0, total = 0;
      all("[data-find]", section).forEach(item => {
        const text = item.dataset.find.toLowerCase();
        const fits = words.every(word => text.includes(word)) && (!only || !only.checked || item.dataset.new === "true");
        item.classList.toggle("hidden", !fits);
        shown += fits ? 1 : 0;
        total++;
      });
      all(".group", section).forEach(group => {
        const has = all("[data-find]", group).some(item => !item.classList.contains("hidden"));
        group.classList.toggle("hidden", !has);
        if (isAsked && has) group.open = true;
      });
      output.textContent = isAsked ? shown + " of " + total + " listed" : "";
    };
    field.addEventListener("input", apply);
    if (only) only.addEventListener("change", apply);
  });

  // ---- one transaction, wherever it is shown
  const highlight = (event, on) => {
    const from = event.target.closest && event.target.closest("[data-txn]");
    if (!from) return;
    const anomaly = from.closest(".anomaly");
    if (anomaly) all("[data-txn]", anomaly).forEach(other => other.classList.toggle("hot", on && other.dataset.txn === from.dataset.txn));
  };
  document.addEventListener("mouseover", event => highlight(event, true));
  document.addEventListener("mouseout", event => highlight(event, false));

  // ---- zoom
  all("figure.timeline").forEach(figure => {
    const svg = figure.querySelector("svg.timeline");
    const left = Number(svg.dataset.left), width = Number(svg.dataset.width);
    let low = 0, high = 1;
    const x = place => left + (place - low) / (high - low) * width;
    const draw = () => {
      all("[data-a]", svg).forEach(item => {
        const from = x(Number(item.dataset.a));
        if (item.tagName === "rect") {
          item.setAttribute("x", from.toFixed(1));
          item.setAttribute("width", Math.max(3, x(Number(item.dataset.b)) - from).toFixed(1));
        } else {
          item.setAttribute("transform", "translate(" + (from + Number(item.dataset.dx || 0)).toFixed(1) + " 0)");
        }
      });
      ["tick", "tick client"].forEach(kind => {
        let free = -Infinity;
        all("g.tick", svg).filter(tick => tick.classList.contains("client") === (kind !== "tick")).forEach(tick => {
          const at = x(Number(tick.dataset.a));
          const room = Math.max(8, tick.textContent.length) * 3.5;
          const isCrowded = at - room < free;
          tick.classList.toggle("crowded", isCrowded);
          if (!isCrowded) free = at + room;
        });
      });
    };
    const zoom = (factor, at) => {
      const size = Math.min(1, Math.max(1e-4, (high - low) * factor));
      low = Math.min(1 - size, Math.max(0, at - (at - low) / (high - low) * size));
      high = low + size;
      draw();
    };
    const move = share => {
      const by = Math.min(1 - high, Math.max(-low, share * (high - low)));
      low += by;
      high += by;
      draw();
    };
    const doings = {
      in: () => zoom(0.6, (low + high) / 2), out: () => zoom(1 / 0.6, (low + high) / 2),
      left: () => move(-0.25), right: () => move(0.25), all: () => { low = 0; high = 1; draw(); }
    };
    figure.addEventListener("click", event => {
      const button = event.target.closest("[data-zoom]");
      if (button) doings[button.dataset.zoom]();
    });
    const scaleOf = () => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
    svg.addEventListener("wheel", event => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const at = (event.clientX - svg.getBoundingClientRect().left) / scaleOf();
      zoom(event.deltaY > 0 ? 1.2 : 1 / 1.2, low + (at - left) / width * (high - low));
    }, { passive: false });
    let dragged = null;
    svg.addEventListener("pointerdown", event => {
      if (high - low < 1) { dragged = event.clientX; svg.setPointerCapture(event.pointerId); }
    });
    svg.addEventListener("pointermove", event => {
      if (dragged === null) return;
      move((dragged - event.clientX) / scaleOf() / width);
      dragged = event.clientX;
    });
    svg.addEventListener("pointerup", () => { dragged = null; });
    svg.addEventListener("pointercancel", () => { dragged = null; });
  });

  reveal();
})();
