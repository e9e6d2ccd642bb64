/** Replaces some methods of an engine, or of what an import writes with. */
export function replaced<Target extends object>(replaced: Target, methods: Partial<Target>): Target {
  return new Proxy(replaced, {
    get(target, property) {
      if (property in methods) return Reflect.get(methods, property);
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
