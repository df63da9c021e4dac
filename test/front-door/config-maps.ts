// ConfigMaps that the tests of clients write: the smallest objects with labels and data.
export const configMapsPath = '/api/v1/namespaces/default/configmaps'

export const configMap = (name: string, data: Readonly<Record<string, string>> = {}, labels: Readonly<Record<string, string>> = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels },
  data,
})

/** For vi.waitFor. */
export const soon = { timeout: 60_000, interval: 20 }
