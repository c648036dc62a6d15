// Stands in, where no image registry can be reached, for the program that workerd puts beside a container on a laptop:
// it holds the network that both share, and leads connections of workerd on to ports of the container. What the container
// sends goes straight out; the real one could also take it to the Worker, which Spool does not use.
import { createServer } from 'node:http'
import { connect } from 'node:net'

const option = process.argv.indexOf('--http-ingress-address')
const [host, port] = (process.argv[option + 1] ?? '0.0.0.0:39001').split(':')

/** What workerd asks before it connects. */
const answers = {
  'GET /ca': [200, 'none\n'],
  'PUT /egress': [204, undefined],
}

const server = createServer((request, response) => {
  request.resume()
  const [status, body] = answers[`${request.method} ${request.url}`] ?? [404, undefined]
  response.writeHead(status).end(body)
})

server.on('connect', (request, client, head) => {
  const place = new URL(`tcp://${request.headers['x-dst-addr'] ?? request.url}`)
  const behind = connect({ host: place.hostname, port: Number(place.port), allowHalfOpen: true })
  let isOpen = false
  behind.once('connect', () => {
    isOpen = true
    client.write('HTTP/1.1 200 OK\r\n\r\n')
    behind.write(head)
    client.pipe(behind).pipe(client)
  })
  // 400 says that nothing listens there yet.
  behind.once('error', () => {
    if (isOpen) client.destroy()
    else client.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n')
  })
  client.once('error', () => behind.destroy())
  client.once('close', () => behind.destroy())
})
// Each direction of a connection ends by itself.
server.on('connection', (socket) => (socket.allowHalfOpen = true))
server.requestTimeout = 0
server.headersTimeout = 0
server.listen(Number(port), host)
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit())
