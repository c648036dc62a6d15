import { z } from 'zod'

/** A moment in an answer or a request, as ISO 8601 writes it, in UTC. */
export const timestamp = z.iso.datetime()
