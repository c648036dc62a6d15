/** A message of the protocol, as far as the bridge looks into it. */
export type Message = {
  jsonrpc?: unknown
  /** Null in the answer to a message that could not be read. */
  id?: string | number | null
  method?: string
  params?: Record<string, unknown>
  result?: Record<string, unknown>
  error?: { code: number; message: string }
}

/** A request, which must get exactly one answer. */
export type RequestMessage = Message & { id: string | number; method: string }

export function isRequest(message: Message): message is RequestMessage {
  return message.id !== undefined && message.id !== null && message.method !== undefined
}

/** Codes of JSON-RPC; the last is the first of those that it leaves to servers. */
export const faultCodes = { parse: -32700, request: -32600, refused: -32000 } as const

export function faultOf(id: string | number | null, code: number, message: string): Message {
  return { jsonrpc: '2.0', id, error: { code, message } }
}

/** The answer of a tool as text for the model, and as data for programs. */
export function toolAnswer(id: string | number, text: string, data?: Record<string, unknown>) {
  const content = [{ type: 'text', text }]
  const result = data ? { content, structuredContent: data } : { content, isError: true }
  return { jsonrpc: '2.0', id, result }
}
