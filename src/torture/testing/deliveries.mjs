// A controller without libraries: a ConfigMap "order-…" gets a ConfigMap "delivery-…", and a mark. BUG=mark-first: it is marked before the delivery is created.
// An order that is terminating takes its delivery with it. BUG=any-order: also that of a later order of the same name.
import { readFileSync } from 'node:fs'
import { request } from 'node:https'

const text = readFileSync(process.env.KUBECONFIG, 'utf8')
const field = (name) => new RegExp(`${name}: (\\S+)`).exec(text)[1]
const url = new URL(field('server'))
const ca = Buffer.from(field('certificate-authority-data'), 'base64')
const path = '/api/v1/namespaces/default/configmaps'

const open = (method, target, headers = {}) =>
  request({
    host: url.hostname,
    port: url.port,
    ca,
    path: target,
    method,
    headers: { authorization: `Bearer ${field('token')}`, ...headers },
  })

const send = (method, target, body, type = 'application/json') =>
  new Promise((resolve, reject) => {
    const sent = open(method, target, { 'content-type': type })
    sent.on('error', reject)
    sent.on('response', (response) => {
      let answer = ''
      response.on('data', (piece) => {
        answer += piece
      })
      response.on('end', () => {
        const isDone = response.statusCode < 300 || response.statusCode === { POST: 409, DELETE: 404, PATCH: 404, GET: 404 }[method]
        isDone
          ? resolve(response.statusCode === 404 ? { metadata: {} } : JSON.parse(answer))
          : reject(new Error(`${method} ${response.statusCode}`))
      })
    })
    sent.end(body && JSON.stringify(body))
  })

async function cancel({ metadata: { name, uid } }) {
  const { metadata } = await send('GET', `${path}/${name}`)
  if (process.env.BUG !== 'any-order' && metadata.uid !== uid) return
  await send('DELETE', `${path}/${name.replace('order', 'delivery')}`)
  await send(
    'PATCH',
    `${path}/${name}`,
    { metadata: { finalizers: null, uid: process.env.BUG === 'any-order' ? undefined : uid } },
    'application/merge-patch+json',
  )
}

async function deliver({ metadata }) {
  const { name, annotations = {}, deletionTimestamp } = metadata
  if (!name.startsWith('order-')) return
  if (deletionTimestamp !== undefined) return cancel({ metadata })
  const mark = () => send('PATCH', `${path}/${name}`, { metadata: { annotations: { done: 'true' } } }, 'application/merge-patch+json')
  const isMarked = annotations.done === 'true'
  if (isMarked && process.env.BUG === 'mark-first') return
  if (!isMarked && process.env.BUG === 'mark-first') await mark()
  await send('POST', path, { metadata: { name: name.replace('order', 'delivery') } })
  if (!isMarked && process.env.BUG !== 'mark-first') await mark()
}

let last = Promise.resolve()
const enqueue = (object) => {
  const attempt = () => deliver(object).catch(() => setTimeout(() => enqueue(object), 50))
  last = last.then(attempt)
}

async function follow() {
  const list = await send('GET', `${path}?resourceVersion=0`)
  for (const item of list.items) enqueue(item)
  const watching = open('GET', `${path}?watch=true&resourceVersion=${list.metadata.resourceVersion}`)
  watching.on('response', (response) => {
    let rest = ''
    response.on('data', (piece) => {
      const lines = (rest + piece).split('\n')
      rest = lines.pop()
      for (const line of lines) {
        const { type, object } = JSON.parse(line)
        if (type === 'ADDED' || type === 'MODIFIED') enqueue(object)
      }
    })
    response.on('end', () => setTimeout(follow, 50))
  })
  watching.on('error', () => setTimeout(follow, 50))
  watching.end()
}

await follow()
