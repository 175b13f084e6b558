/** What went wrong in this page, for the person who looks at the browser's console; a child never sees it. */
export function report(what: string, why: unknown): void {
  console.warn(`maththera: ${what}`, why);
}

export function listen(): void {
  document.addEventListener("securitypolicyviolation", (event) => {
    report("blocked by the content security policy", `${event.violatedDirective} ${event.blockedURI}`);
  });
}
