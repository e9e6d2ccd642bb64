import { render } from "preact";
import { App } from "./frame/App.tsx";

const page = document.getElementById("page");
if (page) render(<App />, page);
