import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { listen } from "./lib/trouble";

listen();
mount(App, { target: document.getElementById("app")! });
