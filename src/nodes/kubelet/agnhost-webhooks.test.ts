import { describe, expect, test } from 'vitest'
import type { Container, Pod } from '../../api/types.ts'
import { servedCertificate, webhookResponse } from './agnhost-webhooks.ts'

const args = ['webhook', '--tls-cert-file=/certificates/tls.crt', '--port=8444', '--sidecar-image=side']
const container: Container = {
  name: 'c',
  image: 'e2e-test-images/agnhost:2.53',
  args,
  volumeMounts: [{ name: 'v', mountPath: '/certificates' }],
}

function ask(path: string, request: object) {
  const body = JSON.stringify({ kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', request: { uid: 'u', ...request } })
  const { afterMs, code, body: text } = webhookResponse(container, `${path}?timeout=5s`, body)!
  const { response } = JSON.parse(text) as {
    response: { allowed: boolean; patch?: string; status?: { message?: string; reason?: string } }
  }
  return { afterMs, code, ...response, patch: response.patch && JSON.parse(Buffer.from(response.patch, 'base64').toString()) }
}

describe('agnhost webhook', () => {
  test.each([
    ['/always-deny', {}, { allowed: false, status: { message: 'this webhook denies all requests' } }],
    ['/always-allow-delay-5s', {}, { allowed: true, afterMs: 5000 }],
    ['/add-label', { object: { metadata: {} } }, { patch: [{ path: '/metadata/labels', value: { 'added-label': 'yes' } }] }],
    ['/add-label', { object: { metadata: { labels: { a: 'b' } } } }, { patch: [{ path: '/metadata/labels/added-label', value: 'yes' }] }],
    ['/pods', { object: { metadata: { labels: { 'webhook-e2e-test': 'wait-forever' } } } }, { afterMs: Number.POSITIVE_INFINITY }],
    ['/pods', { object: { spec: { containers: [{ name: 'webhook-disallow' }] } } }, { allowed: false }],
    ['/mutating-pods-sidecar', { object: { spec: { containers: [] } } }, { patch: [{ value: { image: 'side' } }] }],
    ['/mutating-configmaps', { object: { data: { 'mutation-start': 'yes' } } }, { patch: [{ path: '/data/mutation-stage-1' }] }],
    [
      '/configmaps',
      { operation: 'DELETE', oldObject: { data: { 'webhook-e2e-test': 'webhook-nondeletable' } } },
      { allowed: false, status: { reason: 'the configmap cannot be deleted because it contains unwanted key and value' } },
    ],
  ])('%s %j', (path, request, expected) => {
    expect(ask(path, request)).toMatchObject(expected)
  })

  test('another path is not found, and another program has no answers', () => {
    expect(webhookResponse(container, '/none', '{}')).toMatchObject({ code: 404 })
    expect(webhookResponse({ ...container, args: ['pause'] }, '/pods', '{}')).toBeUndefined()
  })

  test('the certificate is in the mounted Secret', () => {
    const pod: Pod = { spec: { containers: [container], volumes: [{ name: 'v', secret: { secretName: 's' } }] } }
    expect(servedCertificate(pod, container, (name) => ({ 'tls.crt': `PEM of ${name}` }))).toBe('PEM of s')
  })
})

test('agnhost crd-conversion-webhook converts between its two versions', () => {
  const converter = { ...container, args: ['crd-conversion-webhook'] }
  const object = { apiVersion: 'stable.example.com/v1', kind: 'E', metadata: { name: 'a' }, hostPort: 'h:1' }
  const request = { uid: 'u', desiredAPIVersion: 'stable.example.com/v2', objects: [object] }
  const body = JSON.stringify({ kind: 'ConversionReview', apiVersion: 'apiextensions.k8s.io/v1', request })
  const review = JSON.parse(webhookResponse(converter, '/crdconvert', body)!.body) as { response: object }
  expect(review.response).toMatchObject({
    uid: 'u',
    result: { status: 'Success' },
    convertedObjects: [{ apiVersion: 'stable.example.com/v2', host: 'h', port: '1' }],
  })
})
