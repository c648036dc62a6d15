/** Somebody speaks for eleven seconds: what people can try the service with. */
export const exampleClipAt = (baseUrl: string): string => `${baseUrl}/docs/examples/speech.mp4`
