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
      if (location.pathname === "/") location.reload();
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

  // ---- SQL
  const form = document.getElementById("sql-form");
  if (!form) return;
  const text = document.getElementById("sql-text");
  const result = document.getElementById("sql-result");
  const element = (tag, content, attributes) => {
    const made = document.createElement(tag);
    if (content !== undefined) made.textContent = content;
    Object.entries(attributes || {}).forEach(([name, value]) => made.setAttribute(name, value));
    return made;
  };
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
  const run = async () => {
    result.replaceChildren(element("p", "…", { class: "soft" }));
    try {
      const response = await fetch("/api/sql", { method: "POST", body: text.value, headers: { "Content-Type": "text/plain" } });
      const answer = await response.json();
      if (answer.error) {
        result.replaceChildren(element("p", answer.error, { class: "error" }));
        announce("The query failed");
        return;
      }
      const note = answer.rows.length + (answer.more ? " rows, and there are more" : answer.rows.length === 1 ? " row" : " rows");
      result.replaceChildren(table(answer), element("p", note, { class: "note" }));
      announce(note);
    } catch (e) {
      result.replaceChildren(element("p", "The server does not answer.", { class: "error" }));
    }
  };
  form.addEventListener("submit", event => { event.preventDefault(); run(); });
  text.addEventListener("keydown", event => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); run(); }
  });
})();
