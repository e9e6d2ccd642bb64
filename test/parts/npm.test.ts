import { expect, test } from "vitest";
import { npmEnvironment } from "./npm.ts";

test("the outer npm passes on how to reach its registry, and nothing about its own folder", () => {
  const reach = {
    PATH: "/bin",
    npm_config_cache: "/cache",
    npm_config_registry: "https://registry.example/",
    NPM_CONFIG_STRICT_SSL: "true",
    "npm_config_//registry.example/:_authToken": "x",
    "npm_config_@scope:registry": "https://registry.example/",
  };
  const own = {
    INIT_CWD: "/elsewhere",
    npm_command: "run-script",
    npm_config_dry_run: "true",
    npm_config_global: "true",
    npm_config_ignore_scripts: "true",
    npm_config_local_prefix: "/elsewhere",
    npm_config_omit: "optional",
    npm_config_prefix: "/elsewhere",
    npm_config_workspace: "a",
    npm_package_name: "rolebook",
  };
  expect(npmEnvironment({ ...reach, ...own })).toEqual(reach);
});
