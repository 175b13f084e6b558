/** The adults' page, without anything of the child's; an author's is another page behind the same door. */
import { mount } from "svelte";
import "../app.css";
import { listen } from "../lib/trouble";
import Adults from "./Adults.svelte";
import { begin } from "./early";

listen();
begin(location.pathname);
mount(Adults, { target: document.getElementById("app")! });
