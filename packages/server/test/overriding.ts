/** Returns the object with some of its members replaced; its own code still finds its private fields. */
export function overriding<Target extends object>(target: Target, members: Partial<Target>): Target {
  return new Proxy(target, {
    get(_, name) {
      if (Object.hasOwn(members, name)) return Reflect.get(members, name);
      const member = Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}
