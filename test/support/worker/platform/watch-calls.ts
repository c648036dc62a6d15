import { vi } from 'vitest'

/** Reports every call of a method before it is made; the method still does its work. */
export function watchCalls<Owner extends object>(
  owner: Owner,
  method: keyof Owner & string,
  tell: (self: Owner, given: unknown[]) => void,
): void {
  const original = Reflect.get(owner, method) as (...given: unknown[]) => unknown
  function watched(this: Owner, ...given: unknown[]): unknown {
    tell(this, given)
    return original.apply(this, given)
  }
  vi.spyOn(owner, method as never).mockImplementation(watched as never)
}
