"use strict";
// Makes the tables sort and filter. Without it they are whole all the same. Texts are only ever read and compared.
(() => {
  const texts = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

  const make = (name, attributes, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };

  const controls = new Map();

  const equip = (table, place) => {
    const body = table.tBodies[0];
    const heads = [...table.tHead.rows[0].cells];
    const rows = [...body.rows].map((row) => ({ row, tags: (row.dataset.tags || "").split(" "), text: "" }));
    const name = table.dataset.name;

    const input = make("input", { type: "search", id: `filter-${place}`, autocomplete: "off" });
    const tools = make("div", { class: "tools" }, make("label", { for: input.id }, `Filter ${name}`, input));
    let select = null;
    if (table.dataset.choices) {
      select = make("select", { id: `show-${place}` }, make("option", { value: "" }, "Everything"));
      for (const choice of table.dataset.choices.split("|")) {
        const [tag, words] = choice.split("=");
        const count = rows.filter((each) => each.tags.includes(tag)).length;
        if (count) select.append(make("option", { value: tag }, `${words} (${count})`));
      }
      tools.append(make("label", { for: select.id }, "Show", select));
    }
    const shown = make("output", { for: input.id, role: "status" });
    tools.append(shown);

    const filter = () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      const tag = select ? select.value : "";
      let count = 0;
      for (const each of rows) {
        each.text = each.text || each.row.textContent.toLowerCase();
        const fits = (!tag || each.tags.includes(tag)) && words.every((word) => each.text.includes(word));
        each.row.hidden = !fits;
        count += fits ? 1 : 0;
      }
      shown.value = count === rows.length ? `${count} rows` : `${count} of ${rows.length} rows`;
    };
    input.addEventListener("input", filter);
    if (select) select.addEventListener("change", filter);
    controls.set(table, () => {
      input.value = "";
      if (select) select.value = "";
      filter();
    });

    const value = (row, column) => {
      const cell = row.cells[column];
      return cell.dataset.sort === undefined ? cell.textContent.trim() : cell.dataset.sort;
    };
    const sort = (head, column, direction) => {
      for (const each of heads) each.setAttribute("aria-sort", "none");
      if (direction) head.setAttribute("aria-sort", direction);
      const sign = direction === "descending" ? -1 : 1;
      const sorted = direction
        ? rows.map((each) => ({ row: each.row, key: value(each.row, column) }))
        : rows.map((each) => ({ row: each.row, key: "" }));
      if (direction) sorted.sort((one, other) => sign * texts.compare(one.key, other.key));
      body.append(...sorted.map((each) => each.row));
    };
    heads.forEach((head, column) => {
      const first = head.dataset.kind === "number" ? "descending" : "ascending";
      const second = first === "ascending" ? "descending" : "ascending";
      const button = make("button", { type: "button" }, head.textContent);
      head.replaceChildren(button);
      head.setAttribute("aria-sort", "none");
      button.addEventListener("click", () => {
        const now = head.getAttribute("aria-sort");
        sort(head, column, now === first ? second : now === second ? "" : first);
      });
    });
    table.parentElement.before(tools);
    filter();
  };

  [...document.querySelectorAll("table")].forEach(equip);

  // A link to a row that a filter hides would lead nowhere.
  const reveal = () => {
    const target = document.getElementById(location.hash.slice(1));
    const table = target && target.closest("table");
    if (!table || !target.hidden) return;
    controls.get(table)();
    target.scrollIntoView();
  };
  window.addEventListener("hashchange", reveal);
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    if (link && link.hash === location.hash) reveal();
  });
})();
