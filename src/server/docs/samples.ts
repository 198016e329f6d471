import { schemaOf, type ApiDocument, type PlacedOperation } from './document.ts';

/** A program that calls one operation. Address, key and job come from environment variables. */
export interface Sample {
  readonly language: 'curl' | 'javascript' | 'python';
  readonly source: string;
}

/** The common parts of the samples. */
interface SampleCall {
  readonly method: string;
  /** With `{name}` for variables, and with the query. */
  readonly path: string;
  /** The header for the key; undefined if none is needed. */
  readonly keyHeader: string | undefined;
  readonly json: unknown;
  /** The form's fields, apart from the file. */
  readonly form: Readonly<Record<string, string>> | undefined;
  /** Whether the answer is a file. */
  readonly isFile: boolean;
}

const ADDRESS = 'DRAGOMAN_BASE_URL';
const KEY = 'DRAGOMAN_API_KEY';
const UPLOAD = 'messages.json';

/**
 * A POSIX shell function for the curl samples. It passes the key to curl through a pipe, because every user of the
 * machine can see arguments in the process list.
 */
function shellFunction(keyHeader: string): string {
  return `api() {
  printf '${keyHeader}: %s\\n' "$${KEY}" |
    curl --silent --show-error --fail-with-body --header @- "$@"
}`;
}

/** The setup to run once before the samples. */
export function setupOf({ servers, components }: ApiDocument): string {
  return `export ${ADDRESS}=${quote(servers[0]?.url ?? '')}
read -rs ${KEY} && export ${KEY}   # paste the key; it is not shown
${shellFunction(components.securitySchemes.key.name)}`;
}

export function samplesOf(document: ApiDocument, operation: PlacedOperation): readonly Sample[] {
  const call = callOf(document, operation);
  return [
    { language: 'curl', source: curlOf(call) },
    { language: 'javascript', source: javascriptOf(call) },
    { language: 'python', source: pythonOf(call) },
  ];
}

function callOf(document: ApiDocument, operation: PlacedOperation): SampleCall {
  const { method, path, security, parameters = [], requestBody, responses } = operation;
  const query = parameters.filter(({ in: place, example }) => place === 'query' && example !== undefined);
  const search = new URLSearchParams(
    Object.fromEntries(query.map(({ name, example }) => [name, String(example)])),
  );
  const form = requestBody?.content['multipart/form-data'];
  return {
    method,
    path: search.size > 0 ? `${path}?${search.toString()}` : path,
    keyHeader: security?.length === 0 ? undefined : document.components.securitySchemes.key.name,
    json: requestBody?.content['application/json']?.example,
    form: form && fieldsOf(document, form),
    isFile: Object.keys(responses).every(
      (status) => Number(status) >= 300 || !hasJson(responses[status] ?? {}),
    ),
  };
}

function hasJson(response: object): boolean {
  return 'content' in response && 'application/json' in Object(response.content);
}

/** Omits webhook addresses: trying a sample should not call other servers. */
function fieldsOf(
  document: ApiDocument,
  { schema, example }: { readonly schema: Parameters<typeof schemaOf>[1]; readonly example?: unknown },
): Readonly<Record<string, string>> {
  const { properties = {} } = schemaOf(document, schema);
  const isPlain = ([name]: readonly [string, unknown]): boolean => {
    const property = properties[name];
    return typeof property === 'object' && property.format !== 'binary' && property.format !== 'uri';
  };
  return Object.fromEntries(
    Object.entries(Object(example))
      .filter(isPlain)
      .map(([name, value]) => [name, String(value)]),
  );
}

function curlOf({ method, path, keyHeader, json, form }: SampleCall): string {
  const command = keyHeader === undefined ? 'curl --silent --show-error --fail-with-body' : 'api';
  const fields = form ? Object.entries({ file: `@${UPLOAD}`, ...form }) : [];
  const words = [
    ...(method === 'GET' || method === 'POST' ? [] : [`--request ${method}`]),
    ...(json === undefined ? [] : [`--json ${quote(JSON.stringify(json))}`]),
    ...fields.map(([name, value]) => `--form ${quote(`${name}=${value}`)}`),
    `"$${ADDRESS}${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`)}"`,
  ];
  return `${command} ${words.join(words.join(' ').length > 90 ? ' \\\n  ' : ' ')}`;
}

/** Quotes `text` as one word for a POSIX shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** For Node 20 and newer, as a module. */
function javascriptOf({ method, path, keyHeader, json, form, isFile }: SampleCall): string {
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `\${process.env.${name.toUpperCase()}}`);
  const headers = [
    ...(keyHeader === undefined ? [] : [`'${keyHeader}': process.env.${KEY}`]),
    ...(json === undefined ? [] : [`'Content-Type': 'application/json'`]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(headers.length === 0 ? [] : [`headers: { ${headers.join(', ')} }`]),
    ...(json === undefined ? [] : [`body: JSON.stringify(${JSON.stringify(json, null, 2)})`]),
    ...(form ? ['body: form'] : []),
  ];
  const lines = [
    ...(form
      ? [
          `import { readFile } from 'node:fs/promises';`,
          '',
          'const form = new FormData();',
          `form.append('file', new Blob([await readFile('${UPLOAD}')]), '${UPLOAD}');`,
          ...Object.entries(form).map(
            ([name, value]) => `form.append(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
          ),
          '',
        ]
      : []),
    `const response = await fetch(\`\${process.env.${ADDRESS}}${address}\`${options.length === 0 ? ');' : ', {'}`,
    ...options.map((option) => indent(`${option},`, 2)),
    ...(options.length === 0 ? [] : ['});']),
    'if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);',
    isFile
      ? 'process.stdout.write(new Uint8Array(await response.arrayBuffer()));'
      : 'console.log(await response.json());',
  ];
  return lines.join('\n');
}

/** For Python 3.8 and newer, without packages. */
function pythonOf({ method, path, keyHeader, json, form, isFile }: SampleCall): string {
  const used = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const address = used.length > 0 ? `f${pythonValue(path)}` : pythonValue(path);
  const headers = [
    ...(keyHeader === undefined ? [] : [`"${keyHeader}": os.environ["${KEY}"]`]),
    ...(json === undefined ? [] : ['"Content-Type": "application/json"']),
    ...(form ? ['"Content-Type": f"multipart/form-data; boundary={boundary}"'] : []),
  ];
  const values = [
    `"${method}"`,
    `base.path + ${address}`,
    ...(json === undefined ? [] : [`body=json.dumps(${pythonValue(json)})`]),
    ...(form ? ['body=body'] : []),
    ...(headers.length === 0 ? [] : [`headers={${headers.join(', ')}}`]),
  ];
  const imports = ['http.client', ...(isFile ? [] : ['json']), 'os', ...(isFile ? ['sys'] : [])];
  const lines = [
    ...[...imports, ...(form ? ['uuid'] : [])].map((name) => `import ${name}`),
    'from urllib.parse import urlsplit',
    '',
    `base = urlsplit(os.environ["${ADDRESS}"])`,
    'secure = base.scheme == "https"',
    'connect = http.client.HTTPSConnection if secure else http.client.HTTPConnection',
    'connection = connect(base.netloc)',
    ...used.map((name) => `${name} = os.environ["${name.toUpperCase()}"]`),
    ...(form ? pythonForm(form) : []),
    ...(keyHeader === undefined ? [] : [`# Not urllib.request, which changes the case of the header.`]),
    'connection.request(',
    ...values.map((value) => indent(`${value},`, 4)),
    ')',
    'response = connection.getresponse()',
    'content = response.read()',
    'if response.status >= 300:',
    '    raise SystemExit(f"{response.status}: {content.decode()}")',
    isFile ? 'sys.stdout.buffer.write(content)' : 'print(json.loads(content))',
  ];
  return lines.join('\n');
}

function pythonForm(form: Readonly<Record<string, string>>): readonly string[] {
  return [
    'boundary = uuid.uuid4().hex',
    'body = b""',
    `for name, value in ${pythonValue(form)}.items():`,
    `    head = f'--{boundary}\\r\\nContent-Disposition: form-data; name="{name}"\\r\\n\\r\\n'`,
    '    body += f"{head}{value}\\r\\n".encode()',
    `head = f'--{boundary}\\r\\nContent-Disposition: form-data; name="file"; filename="${UPLOAD}"\\r\\n\\r\\n'`,
    `with open("${UPLOAD}", "rb") as file:`,
    '    body += head.encode() + file.read() + f"\\r\\n--{boundary}--\\r\\n".encode()',
  ];
}

/** A JSON value in Python: only three words differ. */
function pythonValue(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const entries = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${pythonValue(one)}`);
  return `{${entries.join(', ')}}`;
}

function indent(text: string, columns: number): string {
  return text.replaceAll(/^/gm, ' '.repeat(columns));
}
