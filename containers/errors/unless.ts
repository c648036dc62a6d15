type ErrorKind = abstract new (...args: never[]) => Error

/** The result of the work; undefined if it ends with an error of this kind. */
export function unless<Result>(kind: ErrorKind, work: () => Result): Result | undefined {
  try {
    return work()
  } catch (error) {
    return undefinedOn(kind)(error)
  }
}

/** The same for the `catch` of a promise. */
export function undefinedOn(kind: ErrorKind): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof kind) return undefined
    throw error
  }
}
