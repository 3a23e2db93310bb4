# syntax=docker/dockerfile:1
# Two stages: packages are installed in the first, and only what runs is copied into the second.
FROM node:26-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/signing/package.json packages/signing/
COPY packages/contract/package.json packages/contract/
COPY packages/client/package.json packages/client/
COPY packages/server/package.json packages/server/
COPY packages/cli/package.json packages/cli/
# Development packages stay out, and no package gets to run a script of its own.
RUN npm ci --omit=dev --ignore-scripts

FROM node:26-bookworm-slim
ENV NODE_ENV=production \
    FIELDROSTER_DATA=/data \
    FIELDROSTER_HOST=0.0.0.0 \
    FIELDROSTER_PORT=8080
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json LICENSE ./
COPY packages packages
# The page at /docs is made from it.
COPY docs/openapi.json docs/
# The folder of the key file and of the embedded database belongs to the user that the server runs as.
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.FIELDROSTER_PORT + '/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# The process is the first of its container and gets the signals: it finishes its requests and ends.
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "--conditions=fieldroster-source", "/app/packages/cli/src/main.ts"]
CMD ["serve"]
