/** The child's page. */
import { mount } from "svelte";
import "./app.css";
import Child from "./child/Child.svelte";
import { install } from "./lib/install";
import { listen } from "./lib/trouble";

listen();
install();
mount(Child, { target: document.getElementById("app")! });
