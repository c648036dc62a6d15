import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, it } from 'vitest'
import { describeApi } from '../../worker/http/openapi/document.ts'
it('x', async () => {
  const r = await new Validator().validate(JSON.parse(JSON.stringify(describeApi('0.1.0', 'http://x'))))
  console.log(JSON.stringify(r).slice(0, 2000))
  expect(r.valid).toBe(true)
})
