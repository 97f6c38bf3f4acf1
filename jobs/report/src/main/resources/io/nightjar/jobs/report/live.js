(() => {
  "use strict";
  const announce = text => { document.getElementById("announcement").textContent = text; };

  // ---- runs appear as they finish
  let known = document.getElementById("main").dataset.runs;
  const look = async () => {
    try {
      const runs = (await (await fetch("/api/runs", { cache: "no-store" })).json()).runs.join(" ");
      if (runs !== known) await refresh();
      known = runs;
    } catch (e) { /* the server is away; it may come back */ }
    setTimeout(look, 1500);
  };
  const refresh = async () => {
    if (!document.getElementById("overview")) {
      const isFilled = files && document.getElementById("check-result").textContent;
      if (location.pathname === "/" && !isFilled) location.reload();
      return;
    }
    const page = new DOMParser().parseFromString(await (await fetch("/", { cache: "no-store" })).text(), "text/html");
    for (const selector of ["#overview", "h1"]) {
      const from = page.querySelector(selector), to = document.querySelector(selector);
      if (from && to) to.replaceWith(document.adoptNode(from));
    }
    announce("A run has finished");
  };
  look();

  const element = (tag, content, attributes) => {
    const made = document.createElement(tag);
    if (content !== undefined) made.textContent = content;
    Object.entries(attributes || {}).forEach(([name, value]) => made.setAttribute(name, value));
    return made;
  };

  // ---- a file to check
  const files = document.getElementById("check-form");
  const check = async file => {
    const outcome = document.getElementById("check-result");
    const show = (...parts) => {
      outcome.replaceChildren(...parts);
      announce(outcome.textContent);
    };
    const max = Number(files.dataset.maxBytes);
    if (file.size > max) {
      return show(element("span", file.name + " is too large: at most " + max.toLocaleString("en") + " bytes", { class: "severity error" }));
    }
    show("Checking " + file.name + " …");
    try {
      const levels = document.getElementById("check-levels").value;
      const query = new URLSearchParams({ name: file.name, level: levels });
      const response = await fetch("/api/check?" + query, { method: "POST", body: file, headers: { "Content-Type": "application/octet-stream" } });
      const answer = await response.json();
      if (!answer.run_id) return show(element("span", answer.error || "not checked", { class: "severity error" }));
      show(element("a", file.name + ": " + answer.verdict, { href: "/run/" + encodeURIComponent(answer.run_id) }));
    } catch (e) {
      show(element("span", "The server does not answer.", { class: "severity error" }));
    }
  };
  if (files) {
    files.addEventListener("submit", event => {
      event.preventDefault();
      const file = document.getElementById("check-file").files[0];
      if (file) check(file);
    });
    const isOfFile = event => Array.from(event.dataTransfer ? event.dataTransfer.types : []).includes("Files");
    document.addEventListener("dragover", event => { if (isOfFile(event)) event.preventDefault(); });
    document.addEventListener("drop", event => {
      if (!isOfFile(event)) return;
      event.preventDefault();
      if (event.dataTransfer.files[0]) check(event.dataTransfer.files[0]);
    });
  }

  // ---- SQL
  const form = document.getElementById("sql-form");
  if (!form) return;
  const text = document.getElementById("sql-text");
  const result = document.getElementById("sql-result");
  const table = answer => {
    const made = element("table");
    const head = made.appendChild(element("thead")).appendChild(element("tr"));
    answer.columns.forEach(column => head.append(element("th", column, { scope: "col" })));
    const body = made.appendChild(element("tbody"));
    answer.rows.forEach(row => {
      const line = body.appendChild(element("tr"));
      row.forEach(cell => {
        const isNumber = typeof cell === "number";
        line.append(element("td", cell === null ? "–" : String(cell), isNumber ? { class: "number" } : {}));
      });
    });
    return made;
  };
  const ask = accepted => fetch("/api/sql", {
    method: "POST", body: text.value, headers: { "Content-Type": "text/plain", "Accept": accepted },
  });
  const fail = message => {
    result.replaceChildren(element("p", message, { class: "error" }));
    announce("The query failed");
  };
  const finish = (note, ...more) => {
    result.replaceChildren(...more, element("p", note, { class: "note" }));
    announce(note);
  };
  const attempt = async work => {
    result.replaceChildren(element("p", "…", { class: "soft" }));
    try {
      await work();
    } catch (e) {
      fail("The server does not answer.");
    }
  };
  const run = () => attempt(async () => {
    const answer = await (await ask("application/json")).json();
    if (answer.error) return fail(answer.error);
    finish(answer.rows.length + (answer.more ? " rows, and there are more" : answer.rows.length === 1 ? " row" : " rows"), table(answer));
  });
  const save = () => attempt(async () => {
    const response = await ask("text/csv");
    if (!response.ok) return fail((await response.json()).error);
    const link = element("a", undefined, { href: URL.createObjectURL(await response.blob()), download: "query.csv" });
    link.click();
    URL.revokeObjectURL(link.href);
    finish(response.headers.get("X-Nightjar-More") ? "Saved query.csv with the first rows; there are more" : "Saved query.csv");
  });
  document.getElementById("sql-csv").addEventListener("click", save);
  const saved = document.getElementById("sql-saved");
  saved.addEventListener("change", () => { text.value = saved.value; });

  // ---- tables and columns
  const schema = document.getElementById("sql-schema");
  schema.addEventListener("toggle", async () => {
    if (!schema.open || schema.children.length > 1) return;
    const answer = await fetch("/api/schema").then(response => response.json()).catch(() => ({ tables: [] }));
    answer.tables.forEach(known => {
      const fold = element("details");
      fold.append(element("summary", known.name));
      const list = fold.appendChild(element("ul"));
      known.columns.forEach(column => {
        list.appendChild(element("li", column.name + " ")).append(element("span", column.type.toLowerCase(), { class: "soft" }));
      });
      schema.append(fold);
    });
  });
  schema.open = window.matchMedia("(min-width: 900px)").matches;
  form.addEventListener("submit", event => { event.preventDefault(); run(); });
  text.addEventListener("keydown", event => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); run(); }
  });
})();
