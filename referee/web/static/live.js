// The board as it changes, and small things that every page needs.

export const words = JSON.parse(document.getElementById("words").textContent);
export const referee = document.body.dataset.referee === "yes";
export const language = document.body.dataset.language;

/** An element with text and children: `make("li", { class: "foul" }, "text", child)`. Text is never read as HTML. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== false && value != null) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child != null && child !== false));
  return element;
}

/** `75.4` as `1:15`. */
export function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** A colour or a card in words, with a patch of its colour beside them. */
export function coloured(code, text) {
  const patch = /^[RYGB]/.test(code ?? "") ? make("span", { class: `chip ${code[0]}`, "aria-hidden": "true" }) : null;
  return make("span", {}, patch, text);
}

/** Calls `show(board)` now and after each change; says so when the table cannot be reached. */
export function follow(show) {
  const offline = document.getElementById("offline");
  const source = new EventSource("/events");
  source.onmessage = (event) => {
    offline.hidden = true;
    show(JSON.parse(event.data));
  };
  source.onerror = () => {
    offline.hidden = false;
  };
}

/** The name of a seat on a board. */
export function nameOf(board, seat) {
  return board.seats.find((one) => one.seat === seat)?.name ?? seat ?? "";
}

export function phaseWords(board) {
  if (board.phase !== "ended" && board.view.state === "lost") return words.view_lost;
  return words[`phase_${board.phase}`];
}

export async function fetchJson(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

/** Sends a change and tells on the page what came of it. Returns whether it was taken. */
export async function change(path, body) {
  const done = document.getElementById("done");
  done.classList.remove("fault");
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body ?? {}),
    });
    const text = await response.text();
    if (!response.ok) {
      let fault = text;
      try { fault = JSON.parse(text).fault; } catch { /* plain text */ }
      throw new Error(fault);
    }
    done.textContent = JSON.parse(text).new ? words.done : words.already;
    return true;
  } catch (fault) {
    done.textContent = fault.message;
    done.classList.add("fault");
    return false;
  }
}
