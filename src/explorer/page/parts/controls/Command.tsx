import { CopyButton } from "./CopyButton.tsx";
import { Icon } from "../Icon.tsx";

export function Command({ text }: { text: string }) {
  return (
    <p class="cli">
      <code>{text}</code>
      <CopyButton class="quiet" label="Copy the command" text={() => text}>
        <Icon name="copy" />
      </CopyButton>
    </p>
  );
}
