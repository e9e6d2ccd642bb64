export const SHORTCUT = /mac|iphone|ipad/iu.test(navigator.platform) ? "⌘ K" : "Ctrl K";

export function isShortcut(event: KeyboardEvent): boolean {
  return (
    (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k"
  );
}
