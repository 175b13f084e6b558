import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { install } from "./lib/install";
import { listen } from "./lib/trouble";

listen();
install();
mount(App, { target: document.getElementById("app")! });
