// The files of the dashboard, which anyone may load: they contain no data. They are read from disk at the first request.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { once } from '../../base/cached.ts'
import { getOrAdd } from '../../base/maps.ts'

interface PageFile {
  readonly code: number
  readonly contentType: string
  readonly body: Buffer
  readonly gzip: () => Buffer
  readonly headers: Readonly<Record<string, string>>
}

/** Undefined for a path that does not belong to the page. */
export type FindPageFile = (path: string, accept: string | undefined) => PageFile | undefined

const files: Readonly<Record<string, string>> = {
  '/ui/': 'index.html',
  '/ui/app.js': 'app.js',
  '/ui/app.css': 'app.css',
  '/ui/worker.js': 'worker.js',
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

/** Nothing is loaded from elsewhere, nothing is sent elsewhere, no script but the page's own runs, and no other page can frame this one. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const securityHeaders = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-cache',
}

/** `folder` has the built files. */
export function createPageFiles(folder: URL): FindPageFile {
  const cache = new Map<string, PageFile>()
  return (path, accept = '') => {
    const wantsPage = accept.includes('text/html')
    if (path === '/ui' || (path === '/' && wantsPage)) return redirection
    const name = Object.hasOwn(files, path) ? files[path]! : undefined
    if (name === undefined) return undefined
    return getOrAdd(cache, name, () => {
      const body = readFileSync(new URL(name, folder))
      const contentType = types[name.split('.').at(-1)!]!
      return { code: 200, contentType, body, gzip: once(() => gzipSync(body)), headers: securityHeaders }
    })
  }
}

const redirection: PageFile = {
  code: 302,
  contentType: 'text/plain; charset=utf-8',
  body: Buffer.from('The dashboard is at /ui/.\n'),
  gzip: () => Buffer.alloc(0),
  headers: { ...securityHeaders, location: '/ui/' },
}
