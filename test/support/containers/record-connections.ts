import { appendFileSync } from 'node:fs'
import net from 'node:net'
import { z } from 'zod'

/** Loaded before everything else, in every thread: writes down each connection that anybody tries to make. */
const target = z.object({
  host: z.string().default('localhost'),
  port: z.union([z.string(), z.number()]),
})

const connect = Reflect.get(net.Socket.prototype, 'connect') as () => unknown
Reflect.set(
  net.Socket.prototype,
  'connect',
  new Proxy(connect, {
    apply(original, socket, args: unknown[]) {
      const { host, port } = target.parse(args.flat()[0])
      appendFileSync(process.env['CONNECTIONS_FILE'] ?? '', `${host}:${port}\n`)
      return Reflect.apply(original, socket, args) as unknown
    },
  }),
)
