/** CodeMirror for a flow's text, in a shadow root: there its styles need no exception from the page's policy. */
import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Text } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  hoverTooltip,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { Mark } from "./draft.svelte";
import { choices, type Known, meaning, unit } from "./language";
import type { AuthorWords } from "./words/ko";

const LOOK = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--card)", fontSize: "14px" },
  ".cm-scroller": {
    fontFamily: "ui-monospace, 'D2Coding', 'Noto Sans Mono CJK KR', monospace, Pretendard",
    lineHeight: "1.6",
  },
  ".cm-content": { caretColor: "var(--ink)" },
  "&.cm-focused": { outline: "3px solid var(--focus)", outlineOffset: "-3px" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": {
    backgroundColor: "var(--paper)",
    color: "var(--soft)",
    borderRight: "1px solid var(--faint)",
  },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--first-tint) 45%, transparent)" },
  ".cm-activeLineGutter": { backgroundColor: "var(--first-tint)", color: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--aid-tint)",
  },
  ".cm-selectionMatch": { backgroundColor: "var(--aid-tint)" },
  ".cm-tooltip": {
    backgroundColor: "var(--card)",
    color: "var(--ink)",
    border: "1px solid var(--line)",
    borderRadius: "8px",
    maxWidth: "420px",
    whiteSpace: "pre-wrap",
  },
  ".cm-about": { padding: "6px 10px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--first)",
    color: "var(--on-first)",
  },
  ".cm-completionDetail": { color: "inherit", fontStyle: "normal" },
  ".cm-diagnosticAction": { backgroundColor: "var(--first)", color: "var(--on-first)" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--second)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--line)" },
  ".cm-panels": { backgroundColor: "var(--paper)", color: "var(--ink)" },
  ".cm-textfield, .cm-button": { background: "var(--card)", color: "var(--ink)", borderColor: "var(--line)" },
});

const COLOURS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--first)" },
  { tag: [tags.string, tags.content], color: "var(--ink)" },
  { tag: tags.comment, color: "var(--soft)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--done)" },
  { tag: [tags.separator, tags.punctuation, tags.squareBracket, tags.brace], color: "var(--soft)" },
]);

type Spoken = AuthorWords["editor"];

/** What is read out of the text, and the words of CodeMirror's own panels. */
const speech = ({ label, phrases }: Spoken) => [
  EditorState.phrases.of(phrases),
  EditorView.contentAttributes.of({ "aria-label": label, lang: "ko" }),
];

export interface Places {
  /** The author has written. */
  onwrite: (text: string) => void;
  /** The cursor is in another line, which counts from 1. */
  online: (line: number) => void;
  onsave: () => void;
  known: () => Known;
}

export class FlowEditor {
  readonly #view: EditorView;
  readonly #speech = new Compartment();

  constructor(host: HTMLElement, text: string, places: Places, spoken: Spoken) {
    const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
    const parent = document.createElement("div");
    parent.style.height = "100%";
    root.replaceChildren(parent);
    this.#view = new EditorView({
      parent,
      root,
      state: EditorState.create({
        doc: text,
        extensions: [extensions(places), this.#speech.of(speech(spoken))],
      }),
    });
  }

  get text(): string {
    return this.#view.state.doc.toString();
  }

  /** Puts another text in the place of this one; the author can undo it. */
  replace(text: string): void {
    if (text !== this.text)
      this.#view.dispatch({ changes: { from: 0, to: this.#view.state.doc.length, insert: text } });
  }

  /** Goes on in another language. */
  speak(spoken: Spoken): void {
    this.#view.dispatch({ effects: this.#speech.reconfigure(speech(spoken)) });
  }

  mark(marks: readonly Mark[], said: (mark: Mark) => string): void {
    const { doc } = this.#view.state;
    const found = marks.map((mark): Diagnostic => {
      const [from, to] = range(doc, mark.span);
      return {
        from,
        to: Math.max(to, Math.min(from + 1, doc.length)),
        severity: mark.severity,
        message: said(mark),
        actions: mark.repairs.map((repair) => ({ name: repair.title, apply: () => this.repair(repair) })),
      };
    });
    this.#view.dispatch(setDiagnostics(this.#view.state, found));
  }

  repair(repair: Mark["repairs"][number]): void {
    const [from, to] = range(this.#view.state.doc, repair.span);
    this.#view.dispatch({
      changes: { from, to, insert: repair.text },
      selection: { anchor: from + repair.text.length },
    });
    this.#view.focus();
  }

  /** Selects a piece of the text and shows it. */
  select(span: Mark["span"]): void {
    const [anchor, head] = range(this.#view.state.doc, span);
    this.#view.dispatch({
      selection: { anchor, head },
      effects: EditorView.scrollIntoView(anchor, { y: "center" }),
    });
    this.#view.focus();
  }

  line(number: number): void {
    this.select({ line: number, column: 1, end_line: number, end_column: 1 });
  }

  destroy(): void {
    this.#view.destroy();
  }
}

function extensions(places: Places) {
  let line = 0;
  return [
    lineNumbers(),
    lintGutter(),
    history(),
    drawSelection(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    highlightSelectionMatches(),
    search({ top: true }),
    indentUnit.of("  "),
    yaml(),
    syntaxHighlighting(COLOURS),
    autocompletion({ override: [(context) => completed(context, places.known())], icons: false }),
    hoverTooltip((view, at, side) => explained(view, at, side, places.known())),
    keymap.of([
      {
        key: "Mod-s",
        preventDefault: true,
        run: () => {
          places.onsave();
          return true;
        },
      },
      ...completionKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...lintKeymap,
      ...defaultKeymap,
      indentWithTab,
    ]),
    EditorView.domEventHandlers({ beforeinput: replaced }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) places.onwrite(update.state.doc.toString());
      const now = update.state.doc.lineAt(update.state.selection.main.head).number;
      if (now !== line) {
        line = now;
        places.online(now);
      }
    }),
    LOOK,
  ];
}

/** Types over a selection without the browser, which would write a style into the text: the page's policy forbids it. */
function replaced(event: InputEvent, view: EditorView): boolean {
  const { state } = view;
  if (event.inputType !== "insertText" || event.data === null || view.composing || state.selection.main.empty)
    return false;
  event.preventDefault();
  view.dispatch(state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
  return true;
}

function range(doc: Text, span: Mark["span"]): [number, number] {
  const place = (line: number, column: number) => {
    const row = doc.line(Math.min(line, doc.lines));
    return Math.min(row.from + unit(row.text, column), row.to);
  };
  return [place(span.line, span.column), place(span.end_line, span.end_column)];
}

function completed(context: CompletionContext, known: Known): CompletionResult | null {
  const line = context.state.doc.lineAt(context.pos);
  const rows = context.state.doc.toString().split("\n");
  const found = choices(known, rows, line.number - 1, context.pos - line.from);
  if (!found || (!context.explicit && found.from === context.pos - line.from && !/[:{] ?$/.test(line.text)))
    return null;
  return {
    from: line.from + found.from,
    options: found.choices.map(({ label, about, after }) => ({
      label,
      detail: about.slice(0, 60),
      apply: label + (after ?? ""),
    })),
    validFor: /^\$?[\p{L}\p{N}_.-]*$/u,
  };
}

function explained(view: EditorView, at: number, side: number, known: Known) {
  const line = view.state.doc.lineAt(at);
  const word = /\$?[\p{L}\p{N}_.]+/gu;
  for (const found of line.text.matchAll(word)) {
    const [from, to] = [line.from + found.index, line.from + found.index + found[0].length];
    if (from > at || to < at || (from === at && side < 0) || (to === at && side > 0)) continue;
    const rows = view.state.doc.toString().split("\n");
    const about = meaning(known, rows, line.number - 1, found[0]);
    if (!about) return null;
    return {
      pos: from,
      end: to,
      create: () => {
        const dom = document.createElement("div");
        dom.className = "cm-about";
        dom.textContent = about;
        return { dom };
      },
    };
  }
  return null;
}
