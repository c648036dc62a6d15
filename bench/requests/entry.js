// On the edge a consumer runs elsewhere; here it would share its process with the requests. So the messages of the service
// are taken off the queue as the bare Worker takes them.
import service from '../../worker/index.ts'
export * from '../../worker/index.ts'

export default { fetch: service.fetch, queue: (batch) => batch.ackAll() }
