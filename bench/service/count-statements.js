let statements = 0
let isCounting = false

/** Counts from now on what the Worker and its objects ask of D1: all bindings of a process share these prototypes. */
export function countStatements(database) {
  if (isCounting) return
  isCounting = true
  const count = (prototype, name, howMany) => {
    const original = prototype[name]
    prototype[name] = function (...given) {
      statements += howMany(given)
      return original.apply(this, given)
    }
  }
  const one = () => 1
  count(Object.getPrototypeOf(database), 'batch', ([all]) => all.length)
  count(Object.getPrototypeOf(database), 'exec', one)
  const prepared = Object.getPrototypeOf(database.prepare('SELECT 1'))
  for (const name of ['all', 'run', 'raw', 'first']) count(prepared, name, one)
}

export function statementsSoFar() {
  return statements
}
