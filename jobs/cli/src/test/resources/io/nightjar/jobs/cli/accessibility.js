// Returns what keeps people from using the page, a sentence each; rules after those of axe.
const problems = [];
const all = selector => Array.from(document.querySelectorAll(selector));
const shown = element => {
  const style = getComputedStyle(element);
  const box = element.getBoundingClientRect();
  return style.visibility !== "hidden" && style.display !== "none" && box.width > 0 && box.height > 0;
};
const told = element => element.tagName.toLowerCase() + (element.id ? "#" + element.id : "")
  + (typeof element.className === "string" && element.className ? "." + element.className.replace(/ /g, ".") : "")
  + " \"" + (element.textContent || "").trim().slice(0, 30) + "\"";
const name = element => {
  const by = element.getAttribute("aria-labelledby");
  if (by) return by.split(" ").map(id => (document.getElementById(id) || { textContent: "" }).textContent).join(" ").trim();
  const label = element.labels && element.labels.length ? Array.from(element.labels).map(one => one.textContent).join(" ") : "";
  const title = element.querySelector && element.querySelector(":scope > title");
  return (element.getAttribute("aria-label") || label || (title && title.textContent) || element.textContent || "").trim();
};

if (!document.documentElement.lang) problems.push("the page has no language");
if (!document.title.trim()) problems.push("the page has no title");
for (const landmark of ["main", "header.top", "footer"]) {
  if (all("body > " + landmark).length !== 1) problems.push("not exactly one landmark " + landmark);
}
if (all("h1").length !== 1) problems.push("not exactly one h1 but " + all("h1").length);
let level = 0;
for (const heading of all("h1, h2, h3, h4, h5, h6")) {
  const own = Number(heading.tagName[1]);
  if (own > level + 1) problems.push("a heading skips a level: " + told(heading));
  if (!heading.textContent.trim()) problems.push("an empty heading");
  level = own;
}
const ids = new Set();
for (const element of all("[id]")) {
  if (ids.has(element.id)) problems.push("an id twice: " + element.id);
  ids.add(element.id);
}
for (const control of all("button, a[href], input, textarea, select, summary")) {
  if (!name(control)) problems.push("a control without a name: " + told(control));
}
for (const image of all("[role=img], [role=region], [role=group], section, article, nav")) {
  if (!name(image)) problems.push("nothing says what this is: " + told(image));
}
for (const image of all("svg:not([role]):not([aria-hidden=true]), img:not([alt])")) problems.push("a picture without a role: " + told(image));
for (const image of all("[role=img]")) {
  if (image.querySelector("a, button, [tabindex]")) problems.push("a control inside a picture: " + told(image));
}
for (const table of all("table")) {
  if (!table.querySelector("thead th")) problems.push("a table without headers: " + told(table));
  for (const header of table.querySelectorAll("th")) {
    if (!["col", "row"].includes(header.getAttribute("scope"))) problems.push("a header of nothing: " + told(header));
  }
  const columns = table.querySelectorAll("thead tr:first-child > *").length;
  for (const row of table.querySelectorAll("tbody tr")) {
    if (row.children.length !== columns) problems.push("a row of another width: " + told(row));
  }
}
for (const element of all("*")) {
  if (element.tabIndex > 0) problems.push("a place of its own in the order of the tabulator: " + told(element));
  const style = getComputedStyle(element);
  const scrolls = ["auto", "scroll"].includes(style.overflowX) && element.scrollWidth > element.clientWidth + 1;
  if (scrolls && element.tabIndex < 0 && element !== document.documentElement && element.tagName !== "TEXTAREA" && shown(element)) {
    problems.push("scrolls, but not by keyboard: " + told(element));
  }
}
for (const hidden of all("[aria-hidden=true]")) {
  if (hidden.querySelector("a, button, input")) problems.push("a hidden control: " + told(hidden));
}
for (const link of all("a[href^='#']")) {
  if (!document.getElementById(decodeURIComponent(link.getAttribute("href").slice(1)))) problems.push("a link to nowhere: " + told(link));
}

const channels = colour => (colour.match(/[\d.]+/g) || []).map(Number);
const light = colour => {
  const [r, g, b] = channels(colour).map(part => part / 255).map(part => part <= 0.03928 ? part / 12.92 : Math.pow((part + 0.055) / 1.055, 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const behind = element => {
  for (let up = element; up; up = up.parentElement) {
    const colour = getComputedStyle(up).backgroundColor;
    const parts = channels(colour);
    if (parts.length === 3 || parts[3] > 0.99) return colour;
  }
  return "rgb(255, 255, 255)";
};
const seen = new Set();
const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (texts.nextNode()) {
  const element = texts.currentNode.parentElement;
  if (!texts.currentNode.textContent.trim() || ["SCRIPT", "STYLE", "title", "desc"].includes(element.tagName) || seen.has(element)) continue;
  seen.add(element);
  if (!shown(element) || element.closest(".unseen")) continue;
  const style = getComputedStyle(element);
  const isDrawn = element instanceof SVGElement;
  const colour = isDrawn ? style.fill : style.color;
  const one = light(colour), other = light(behind(isDrawn ? element.closest("svg") : element));
  const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  const size = parseFloat(style.fontSize);
  const isLarge = size >= 24 || size >= 18.66 && Number(style.fontWeight) >= 700;
  if (contrast < (isLarge ? 3 : 4.5)) problems.push("contrast of " + contrast.toFixed(2) + ": " + told(element));
}
if (document.documentElement.scrollWidth > document.documentElement.clientWidth) {
  problems.push("the page is wider than the window: " + document.documentElement.scrollWidth);
}
return problems.slice(0, 20);
