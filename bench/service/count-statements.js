import service from '../../worker/index.ts'

let statements = 0
let isCounting = false

/** The service with pages of a benchmark beside it; `/bench/statements` says how many statements D1 was asked so far. */
export function serviceBeside(pages) {
  return async (request, env, context) => {
    countStatements(env.DB)
    const { pathname } = new URL(request.url)
    if (pathname === '/bench/statements') return Response.json({ statements })
    const page = pages[pathname]
    return page ? page(request, env) : service.fetch(request, env, context)
  }
}

/** Counts from now on what the Worker and its objects ask of D1: all bindings of a process share these prototypes. */
function countStatements(database) {
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
