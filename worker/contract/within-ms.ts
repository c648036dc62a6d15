/**
 * Returns the result of the work, or what `late` returns or throws if the work takes longer; by default it throws. It
 * does not stop the work.
 */
export async function withinMs<Value, Late = never>(
  ms: number,
  work: Promise<Value>,
  late: () => Late = () => {
    throw new Error(`no answer within ${ms / 1000} seconds`)
  },
): Promise<Value | Late> {
  const over = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => over.resolve(undefined), ms)
  try {
    return await Promise.race([work, over.promise.then(late)])
  } finally {
    clearTimeout(timer)
  }
}
