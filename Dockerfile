# An image of the package, rolebook-*.tgz, that npm run package makes: docs/operations.md, "In a container".
FROM node:26-slim
WORKDIR /opt/rolebook
COPY rolebook-*.tgz ./
# The image has the Node that Rolebook runs on, so npm brings none.
RUN tar -xzf rolebook-*.tgz --strip-components=1 --no-same-owner && rm rolebook-*.tgz \
  && npm ci --omit=optional --ignore-scripts --no-audit --no-fund \
  && install -d -o node -g node -m 0700 /data
USER node
ENV ROLEBOOK_DATABASE_URL=sqlite:/data/rolebook.db
VOLUME /data
EXPOSE 3000
HEALTHCHECK CMD ["node", "-e", "fetch('http://127.0.0.1:3000/healthz').then(({ ok }) => process.exit(ok ? 0 : 1))"]
# Without a shell, so that the server gets the signals itself.
ENTRYPOINT ["node", "--max-semi-space-size=8", "bin/rolebook.js"]
CMD ["serve", "--host", "0.0.0.0"]
