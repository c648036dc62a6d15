import { expect, it } from 'vitest'
import { quietWrangler } from '../../../scripts/machine/quiet-wrangler.ts'

it('quietWrangler keeps every service to its own folder, and wrangler off the network', () => {
  expect(quietWrangler('/data/wrangler')).toMatchObject({
    WRANGLER_REGISTRY_PATH: '/data/wrangler/registry',
    WRANGLER_SEND_METRICS: 'false',
    WRANGLER_WRITE_LOGS: 'false',
    WRANGLER_HIDE_BANNER: 'true',
    CLOUDFLARE_CF_FETCH_ENABLED: 'false',
    X_LOCAL_EXPLORER: 'false',
    X_LOCAL_OBSERVABILITY: 'false',
    CI: '1',
  })
})
