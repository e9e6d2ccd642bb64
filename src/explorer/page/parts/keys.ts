/** Elements that use all keys, and those that use these keys, themselves. */
const FIELDS = "input, select, textarea";
const PRESSED: Readonly<Record<string, string>> = { Enter: "a, button, summary", " ": "button, summary" };

/**
 * The key that a list, tree or other widget may handle; "" if the key belongs to an open dialog, to a field, link or
 * button in the widget, to a shortcut of the browser, to an input method, or was handled before.
 */
export function keyFor(event: KeyboardEvent): string {
  const { key, target } = event;
  const isShortcut = event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && key.length > 1);
  const users = [FIELDS, PRESSED[key] ?? []].flat().join();
  const isUsed =
    target instanceof HTMLElement && (target.isContentEditable || target.closest(users) !== null);
  const isInDialog = document.querySelector("dialog[open]") !== null;
  return isShortcut || isUsed || isInDialog || event.isComposing || event.defaultPrevented ? "" : key;
}
