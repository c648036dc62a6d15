import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { unstable_readConfig } from 'wrangler'
import { z } from 'zod'
import { environments } from '../../scripts/check/steps.ts'
import { root } from '../../scripts/machine/checkout.ts'

/** The part of a configuration that this test is about. */
const shape = z.object({
  name: z.string(),
  vars: z.record(z.string(), z.unknown()),
  d1_databases: z.array(
    z.object({ binding: z.string(), database_name: z.string(), database_id: z.string() }),
  ),
  r2_buckets: z.array(z.object({ binding: z.string(), bucket_name: z.string() })),
  queues: z.object({
    producers: z.array(z.object({ binding: z.string(), queue: z.string() })),
    consumers: z.array(z.object({ queue: z.string(), dead_letter_queue: z.string().optional() })),
  }),
  durable_objects: z.object({ bindings: z.array(z.object({ name: z.string() })) }),
  containers: z.array(z.object({ name: z.string(), rollout_active_grace_period: z.number() })),
})

const configs = environments.map((env) => {
  const args = { config: path.join(root, 'wrangler.toml'), env }
  return shape.parse(unstable_readConfig(args, { hideWarnings: true }))
})

describe('wrangler.toml', () => {
  it.each([
    ['name', configs.map(({ name }) => name)],
    ['database', configs.map(({ d1_databases: [database] }) => database?.database_name)],
    ['database id', configs.map(({ d1_databases: [database] }) => database?.database_id)],
    ['bucket', configs.map(({ r2_buckets: [bucket] }) => bucket?.bucket_name)],
    ['queue', configs.map(({ queues }) => queues.producers[0]?.queue)],
    ['queue of webhooks', configs.map(({ queues }) => queues.producers[1]?.queue)],
    ['container', configs.map(({ containers }) => containers[0]?.name)],
  ])('gives every environment its own %s', (_, names) => {
    expect(names).not.toContain(undefined)
    expect(new Set(names).size).toBe(environments.length)
  })

  it('binds the same names everywhere', () => {
    const bindings = configs.map((config) => [
      config.d1_databases.map(({ binding }) => binding),
      config.r2_buckets.map(({ binding }) => binding),
      config.queues.producers.map(({ binding }) => binding),
      config.durable_objects.bindings.map(({ name }) => name),
    ])
    for (const names of bindings) {
      expect(names).toEqual([
        ['DB'],
        ['BUCKET'],
        ['JOBS', 'WEBHOOKS'],
        ['KEY_GATE', 'JOB_RUNNER', 'WEBHOOK_ENDPOINT', 'COURIER', 'DISPATCHER'],
      ])
    }
  })

  it('gives jobs as much time before SIGTERM as the image gives them after it, except for a minute', () => {
    const dockerfile = readFileSync(path.join(root, 'containers/Dockerfile'), 'utf8')
    const grace = Number(/^ENV STOP_GRACE_SECONDS=(\d+)$/m.exec(dockerfile)?.[1])
    for (const { containers } of configs) {
      expect(containers.map((one) => one.rollout_active_grace_period - grace)).toEqual([60])
    }
  })

  it('consumes every dead-letter queue', () => {
    for (const { queues } of configs) {
      const consumed = queues.consumers.map(({ queue }) => queue)
      const dead = queues.consumers.flatMap((consumer) => consumer.dead_letter_queue ?? [])
      expect(dead).toHaveLength(2)
      expect(consumed).toEqual(expect.arrayContaining(dead))
    }
  })

  it('contains no secret', () => {
    const names = configs.flatMap(({ vars }) => Object.keys(vars))
    expect(names.filter((name) => /SECRET|TOKEN|ACCESS_KEY/.test(name))).toEqual([])
  })
})
