// The globals of the Workers runtime would shadow Node's in the rest of bench/, so only what is used is named here.
declare module 'cloudflare:workers' {
  import type { CloudflareWorkersModule } from '@cloudflare/workers-types'
  export const DurableObject: typeof CloudflareWorkersModule.DurableObject
}
