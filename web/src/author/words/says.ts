import { language } from "../../words/words.svelte";
import { en } from "./en";
import { type AuthorWords, ko } from "./ko";

/** All texts of the author's page, in its language. */
export const says = (): AuthorWords => (language.name === "ko" ? ko : en);
