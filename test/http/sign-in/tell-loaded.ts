/** Preloaded: writes a line when a process loads the OpenID client. */
import { registerHooks } from "node:module";

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === "openid-client") process.stderr.write("The OpenID client is loaded.\n");
    return next(specifier, context);
  },
});
