import type { Engine } from "../../../../src/store/engine/engine.ts";

/** Replaces some methods of an engine. */
export function replaced(engine: Engine, methods: Partial<Engine>): Engine {
  return new Proxy(engine, {
    get(target, property) {
      if (property in methods) return Reflect.get(methods, property);
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
