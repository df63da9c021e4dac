// Node's HTTP/1.1, without an `import` of it: that reads every export, and so loads Node's WebSocket and fetch as well. With Node.js 24
// and 26 that costs each process 14 MB and 30 ms.
import { createRequire } from 'node:module'

export const http = createRequire(import.meta.url)('node:http') as typeof import('node:http')
