// The globals of the Workers runtime would shadow Node's in the rest of bench/, so only those in use are declared here.
declare module 'cloudflare:workers' {
  import type { CloudflareWorkersModule } from '@cloudflare/workers-types'
  export const DurableObject: typeof CloudflareWorkersModule.DurableObject
}
