import type {
  ChangeEndpoint,
  CreateEndpoint,
  EndpointPage,
  EndpointRecord,
} from '../../../contract/webhooks/webhook-endpoint.ts'

export const createEndpointRequest: CreateEndpoint = {
  url: 'https://example.com/hooks/all',
  description: 'The archive',
}

export const failuresRequest: CreateEndpoint = {
  url: 'https://example.com/hooks/failures',
  eventTypes: ['video.failed'],
}

export const changeEndpointRequest: ChangeEndpoint = { enabled: false }

export const endpoint: EndpointRecord = {
  endpointId: 'we_7sLq2Xv9TbNc4Wd1',
  url: 'https://example.com/hooks/all',
  description: 'The archive',
  eventTypes: null,
  enabled: true,
  createdAt: '2026-11-21T10:02:11.870Z',
  lastUpdatedAt: '2026-11-21T10:02:11.870Z',
}

export const disabledEndpoint: EndpointRecord = {
  ...endpoint,
  enabled: false,
  lastUpdatedAt: '2026-11-21T11:40:03.004Z',
}

export const endpointPage: EndpointPage = { data: [endpoint], nextCursor: null }
