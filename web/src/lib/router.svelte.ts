/** The address that is shown, as state. */
class Router {
  path = $state(location.pathname);
  /** The browser has led here, by its buttons or by a reload, and no button of the page. */
  byBrowser = true;

  constructor() {
    addEventListener("popstate", () => {
      this.byBrowser = true;
      this.path = location.pathname;
    });
  }

  go(path: string, { replace = false } = {}): void {
    if (path === this.path) return;
    this.byBrowser = false;
    history[replace ? "replaceState" : "pushState"](null, "", path);
    this.path = path;
  }
}

export const router = new Router();
