# The server as an image: `docker build -t dragoman .`, or with Apertium's language pairs `--target apertium`.
# It runs as an unprivileged user, even with a read-only root file system: only /data is written.

FROM node:20-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npm ci --no-audit --no-fund \
 && npm run build \
 && npm pack --pack-destination /tmp \
 && npm install --prefix /opt/dragoman --omit=dev --no-audit --no-fund /tmp/dragoman-*.tgz

FROM node:20-bookworm-slim AS base
COPY --from=build /opt/dragoman /opt/dragoman
RUN ln -s /opt/dragoman/node_modules/.bin/dragoman /usr/local/bin/dragoman \
 && install --directory --owner=10001 --group=10001 --mode=0700 /data
# A balancer or proxy in front terminates TLS. To use TLS here, set DRAGOMAN_SERVE_TLS_CERT and DRAGOMAN_SERVE_TLS_KEY.
ENV NODE_ENV=production \
    HOME=/data \
    DRAGOMAN_DATA_DIR=/data \
    DRAGOMAN_SERVE_HOST=0.0.0.0 \
    DRAGOMAN_SERVE_INSECURE_HTTP=true
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8787/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["dragoman"]
CMD ["serve"]

FROM base AS apertium
USER root
RUN apt-get update -qq \
 && apt-get install -y -qq --no-install-recommends \
    apertium apertium-eng-spa apertium-eng-cat apertium-fr-es apertium-es-pt apertium-spa-ita apertium-en-gl apertium-eo-en \
 && rm -rf /var/lib/apt/lists/*
USER 10001:10001

# The last stage is built if no stage is named.
FROM base AS dragoman
