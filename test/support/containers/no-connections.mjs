import dns from 'node:dns'
import net from 'node:net'

/** Loaded before anything else in a thread: it ends at the first connection or name that anybody asks for. */
const refuse = () => process.exit(99)
net.Socket.prototype.connect = refuse
dns.lookup = refuse
globalThis.fetch = refuse
