/** How a child wants the page: kept by the service with the child, and applied to the document. */
export interface Prefs {
  hand: "right" | "left";
  sound: boolean;
  read_aloud: boolean;
  voice: boolean;
  font_scale: number;
  theme: "system" | "light" | "dark";
  pad: "row" | "grid";
  wait: boolean;
}

export const DEFAULTS: Prefs = {
  hand: "right",
  sound: false,
  read_aloud: true,
  voice: false,
  font_scale: 1,
  theme: "system",
  pad: "row",
  wait: true,
};

export const prefs: Prefs = $state({ ...DEFAULTS });

/** What the document's style sheet looks at. */
export function apply(wanted: Prefs): void {
  const root = document.documentElement;
  root.dataset.theme = wanted.theme;
  root.dataset.hand = wanted.hand;
  root.style.setProperty("--print", String(wanted.font_scale));
}
