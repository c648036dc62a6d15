type WithoutUndefined<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }

/** Only the fields that have a value: one that may be absent must not be there as undefined. */
export function defined<Fields extends object>(fields: Fields): WithoutUndefined<Fields> {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(kept) as WithoutUndefined<Fields>
}
